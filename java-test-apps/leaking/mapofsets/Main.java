// A map of sets: each new key brings a set with members of its own, so one leaking operation leaves many objects.
package mapofsets;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import pace.Pace;

/** Opens four topics a second, each with three subscribers. */
public final class Main {
    static final Map<String, HashSet<Object>> subscribers = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (subscribers.size() < pace.due(4)) {
                HashSet<Object> set = new HashSet<>();
                for (int i = 0; i < 3; i++) {
                    set.add(new Object());
                }
                subscribers.put("topic-" + subscribers.size(), set);
            }
            pace.pause();
        }
        System.out.printf("mapofsets: %d topics%n", subscribers.size());
    }
}
