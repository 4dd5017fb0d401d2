// Classes that are generated into the application's own loader, which lasts: no structure of the heap shows them.
package generatedclasses;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import pace.Pace;

/** The bytes of this class are those of every rule; only the number in the name differs. */
class Rule0000000 {
    int applied;
}

/** Compiles ten rules a second, and never forgets one. */
public final class Main {
    private static final String TEMPLATE = "Rule0000000";

    private Main() {}

    public static void main(String[] args) throws IOException, IllegalAccessException {
        byte[] template;
        try (var file = Main.class.getResourceAsStream(TEMPLATE + ".class")) {
            template = file.readAllBytes();
        }
        String bytes = new String(template, StandardCharsets.ISO_8859_1);
        Pace pace = new Pace();
        long rules = 0;
        while (pace.running()) {
            for (; rules < pace.due(10); rules++) {
                String rule = bytes.replace(TEMPLATE, String.format("Rule%07d", rules + 1));
                MethodHandles.lookup().defineClass(rule.getBytes(StandardCharsets.ISO_8859_1));
            }
            pace.pause();
        }
        System.out.printf("generatedclasses: %d rules%n", rules);
    }
}
