package rootbound.junit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a scenario is repeated, and what counts as growth. Options do not change: each method returns a new value.
 *
 * <pre>{@code GrowthOptions.defaults().repeats(10).ignore("1d82c94f9eff2a82")}</pre>
 */
public final class GrowthOptions {
    private static final GrowthOptions DEFAULTS = new GrowthOptions(2, 2, 5, 0, List.of(), List.of(), null);

    private final int warmUps;
    private final int repeats;
    private final int rounds;
    private final int leastGrowth;
    private final List<String> ignored;
    private final List<String> ignoredPlaces;
    private final Path keep;

    private GrowthOptions(int warmUps, int repeats, int rounds, int leastGrowth, List<String> ignored,
            List<String> ignoredPlaces, Path keep) {
        this.warmUps = warmUps;
        this.repeats = repeats;
        this.rounds = rounds;
        this.leastGrowth = leastGrowth;
        this.ignored = ignored;
        this.ignoredPlaces = ignoredPlaces;
        this.keep = keep;
    }

    /** Two warm-ups, two runs in a round, at most five rounds. */
    public static GrowthOptions defaults() {
        return DEFAULTS;
    }

    /** Runs before the first look at the heap: what is loaded or filled by then is no growth. */
    public GrowthOptions warmUps(int runs) {
        return new GrowthOptions(atLeast(0, runs, "warmUps"), repeats, rounds, leastGrowth, ignored, ignoredPlaces, keep);
    }

    /** Runs in each round. */
    public GrowthOptions repeats(int runs) {
        return new GrowthOptions(warmUps, atLeast(1, runs, "repeats"), rounds, leastGrowth, ignored, ignoredPlaces, keep);
    }

    /** Most rounds. Only what grows in every one of them fails a test; the search ends as soon as nothing is left. */
    public GrowthOptions rounds(int most) {
        return new GrowthOptions(warmUps, repeats, atLeast(1, most, "rounds"), leastGrowth, ignored, ignoredPlaces, keep);
    }

    /** Least number of objects that a place gains in every round; by default as many as there are runs in it. */
    public GrowthOptions leastGrowth(int objects) {
        return new GrowthOptions(warmUps, repeats, rounds, atLeast(1, objects, "leastGrowth"), ignored, ignoredPlaces,
                keep);
    }

    /** Leaves structures out by their fingerprints, which failures name. They are still listed, as ignored. */
    public GrowthOptions ignore(String... fingerprints) {
        List<String> all = joined(ignored, fingerprints);
        return new GrowthOptions(warmUps, repeats, rounds, leastGrowth, all, ignoredPlaces, keep);
    }

    /** Leaves structures out by their places, with {@code *} for anything: {@code static com.example.Cache.*}. */
    public GrowthOptions ignorePlace(String... patterns) {
        List<String> all = joined(ignoredPlaces, patterns);
        return new GrowthOptions(warmUps, repeats, rounds, leastGrowth, ignored, all, keep);
    }

    /** Keeps the recordings of all rounds in a folder, for {@code rootbound rounds}, {@code paths}, {@code convert}. */
    public GrowthOptions keep(Path folder) {
        Objects.requireNonNull(folder, "keep");
        return new GrowthOptions(warmUps, repeats, rounds, leastGrowth, ignored, ignoredPlaces, folder);
    }

    /** The options of an annotation. */
    public static GrowthOptions of(NoGrowth annotation) {
        GrowthOptions options = DEFAULTS.rounds(annotation.rounds()).repeats(annotation.repeats())
                .warmUps(annotation.warmUps()).ignore(annotation.ignore()).ignorePlace(annotation.ignorePlace());
        return annotation.leastGrowth() == 0 ? options : options.leastGrowth(annotation.leastGrowth());
    }

    int warmUps() {
        return warmUps;
    }

    int repeats() {
        return repeats;
    }

    int rounds() {
        return rounds;
    }

    Path keep() {
        return keep;
    }

    /** The options of {@code rootbound rounds}. */
    List<String> arguments() {
        List<String> all = new ArrayList<>(List.of("--runs=" + repeats));
        all.add("--least-growth=" + (leastGrowth == 0 ? repeats : leastGrowth));
        ignored.forEach(fingerprint -> all.add("--ignore=" + fingerprint));
        ignoredPlaces.forEach(pattern -> all.add("--ignore-place=" + pattern));
        return all;
    }

    private static int atLeast(int least, int value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", and is " + value);
        }
        return value;
    }

    private static List<String> joined(List<String> known, String[] more) {
        List<String> all = new ArrayList<>(known);
        for (String each : more) {
            all.add(Objects.requireNonNull(each, "ignored"));
        }
        return List.copyOf(all);
    }
}
