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
    private static final GrowthOptions DEFAULTS =
            new GrowthOptions(new int[] {2, 2, 5, 0}, List.of(), List.of(), List.of(), null);
    private static final int WARM_UPS = 0;
    private static final int REPEATS = 1;
    private static final int ROUNDS = 2;
    private static final int LEAST_GROWTH = 3;

    /** By the constants above. */
    private final int[] numbers;
    private final List<String> ignored;
    private final List<String> ignoredPlaces;
    private final List<Path> described;
    private final Path keep;

    private GrowthOptions(int[] numbers, List<String> ignored, List<String> ignoredPlaces, List<Path> described,
            Path keep) {
        this.numbers = numbers;
        this.ignored = ignored;
        this.ignoredPlaces = ignoredPlaces;
        this.described = described;
        this.keep = keep;
    }

    /** Two warm-ups, two runs in a round, at most five rounds. */
    public static GrowthOptions defaults() {
        return DEFAULTS;
    }

    /** Runs before the first look at the heap: what is loaded or filled by then is no growth. */
    public GrowthOptions warmUps(int runs) {
        return with(WARM_UPS, atLeast(0, runs, "warmUps"));
    }

    /** Runs in each round. */
    public GrowthOptions repeats(int runs) {
        return with(REPEATS, atLeast(1, runs, "repeats"));
    }

    /** Most rounds. Only what grows in every one of them fails a test; the search ends as soon as nothing is left. */
    public GrowthOptions rounds(int most) {
        return with(ROUNDS, atLeast(1, most, "rounds"));
    }

    /** Least number of objects that a place gains in every round; by default as many as there are runs in it. */
    public GrowthOptions leastGrowth(int objects) {
        return with(LEAST_GROWTH, atLeast(1, objects, "leastGrowth"));
    }

    /** Leaves structures out by their fingerprints, which failures name. They are still listed, as ignored. */
    public GrowthOptions ignore(String... fingerprints) {
        return new GrowthOptions(numbers, joined(ignored, fingerprints), ignoredPlaces, described, keep);
    }

    /** Leaves structures out by their places, with {@code *} for anything: {@code static com.example.Cache.*}. */
    public GrowthOptions ignorePlace(String... patterns) {
        return new GrowthOptions(numbers, ignored, joined(ignoredPlaces, patterns), described, keep);
    }

    /**
     * Files that describe data structures of the program (docs/structures.md). A failure then names the nearest described
     * structure around what grows, with its size before and after all rounds.
     */
    public GrowthOptions describe(Path... files) {
        return new GrowthOptions(numbers, ignored, ignoredPlaces, joined(described, files), keep);
    }

    /** Keeps the recordings of all rounds in a folder, for {@code rootbound rounds}, {@code paths}, {@code convert}. */
    public GrowthOptions keep(Path folder) {
        Objects.requireNonNull(folder, "keep");
        return new GrowthOptions(numbers, ignored, ignoredPlaces, described, folder);
    }

    private GrowthOptions with(int which, int value) {
        int[] changed = numbers.clone();
        changed[which] = value;
        return new GrowthOptions(changed, ignored, ignoredPlaces, described, keep);
    }

    /** The options of an annotation. */
    public static GrowthOptions of(NoGrowth annotation) {
        GrowthOptions options = DEFAULTS.rounds(annotation.rounds()).repeats(annotation.repeats())
                .warmUps(annotation.warmUps()).ignore(annotation.ignore()).ignorePlace(annotation.ignorePlace());
        for (String file : annotation.describe()) {
            options = options.describe(Path.of(file));
        }
        return annotation.leastGrowth() == 0 ? options : options.leastGrowth(annotation.leastGrowth());
    }

    int warmUps() {
        return numbers[WARM_UPS];
    }

    int repeats() {
        return numbers[REPEATS];
    }

    int rounds() {
        return numbers[ROUNDS];
    }

    Path keep() {
        return keep;
    }

    /** Files of descriptions. */
    List<Path> described() {
        return described;
    }

    /** The options of {@code rootbound rounds}. */
    List<String> arguments() {
        List<String> all = new ArrayList<>(List.of("--runs=" + repeats()));
        all.add("--least-growth=" + (numbers[LEAST_GROWTH] == 0 ? repeats() : numbers[LEAST_GROWTH]));
        ignored.forEach(fingerprint -> all.add("--ignore=" + fingerprint));
        ignoredPlaces.forEach(pattern -> all.add("--ignore-place=" + pattern));
        described.forEach(file -> all.add("--dsl=" + file));
        return all;
    }

    private static int atLeast(int least, int value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", and is " + value);
        }
        return value;
    }

    private static <T> List<T> joined(List<T> known, T[] more) {
        List<T> all = new ArrayList<>(known);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }
}
