package rootbound.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What grew in every round of a scenario, as a value. */
public final class Growth {
    private static final Pattern NOTHING = Pattern.compile("\"growing\"\\s*:\\s*\\[\\s*\\]");
    private static final Pattern IGNORED = Pattern.compile("\"ignored\"\\s*:\\s*\\[");
    private static final Pattern FINGERPRINT = Pattern.compile("\"fingerprint\"\\s*:\\s*\"([0-9a-f]{16})\"");

    private final int rounds;
    private final String text;
    private final String json;

    Growth(int rounds, String text, String json) {
        this.rounds = rounds;
        this.text = text;
        this.json = json;
    }

    /** Nothing was measured, for this reason. */
    static Growth unknown(String reason) {
        return new Growth(0, "not measured: " + reason, "{\"rounds\": 0, \"growing\": [], \"ignored\": []}");
    }

    /** Whether nothing grew. */
    public boolean isEmpty() {
        return NOTHING.matcher(json).find();
    }

    /** Number of rounds that were needed; 0 if nothing was measured. */
    public int rounds() {
        return rounds;
    }

    /** The fingerprints of what grew, for {@link GrowthOptions#ignore}. */
    public List<String> fingerprints() {
        Matcher ignored = IGNORED.matcher(json);
        String growing = ignored.find() ? json.substring(0, ignored.start()) : json;
        List<String> found = new ArrayList<>();
        for (Matcher each = FINGERPRINT.matcher(growing); each.find();) {
            found.add(each.group(1));
        }
        return List.copyOf(found);
    }

    /** The finding for people: each structure with its path, its sizes after each round, and what to do. */
    @Override
    public String toString() {
        return text;
    }

    /** The same as JSON, in the contract {@code rootbound.rounds/1}. */
    public String toJson() {
        return json;
    }
}
