// A backlog that was there from the start and is worked off steadily; a little is added meanwhile, much more is removed.
package shrinker;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import pace.Pace;

/** Removes a hundred cases a second and opens five. */
public final class Main {
    private static final int PRELOADED = 30_000;

    static final Map<Integer, String> backlog = new LinkedHashMap<>();

    private Main() {}

    private static void open(long number) {
        backlog.put((int) number, "case " + number);
    }

    private static void closeOldest() {
        Iterator<Integer> oldest = backlog.keySet().iterator();
        oldest.next();
        oldest.remove();
    }

    public static void main(String[] args) {
        for (int number = 0; number < PRELOADED; number++) {
            open(number);
        }
        Pace pace = new Pace();
        long opened = 0;
        long closed = 0;
        while (pace.running()) {
            for (; opened < pace.due(5); opened++) {
                open(PRELOADED + opened);
            }
            for (; closed < pace.due(100) && !backlog.isEmpty(); closed++) {
                closeOldest();
            }
            pace.pause();
        }
        System.out.printf("shrinker: %d opened, %d closed, %d left%n", opened, closed, backlog.size());
    }
}
