// A program that fills its tables while it starts, for fifteen seconds, and then works with what it has.
package warmuponly;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

/** Loads eighty templates a second until it knows them all. */
public final class Main {
    static final Map<String, String> templates = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long rendered = 0;
        while (pace.running()) {
            while (templates.size() < pace.dueUntil(80, 15)) {
                int number = templates.size();
                templates.put("template-" + number, "Dear customer " + number);
            }
            for (; rendered < pace.due(50); rendered++) {
                templates.get("template-" + rendered % Math.max(1, templates.size()));
            }
            pace.pause();
        }
        System.out.printf("warmuponly: %d templates, %d rendered%n", templates.size(), rendered);
    }
}
