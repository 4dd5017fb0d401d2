// A table in memory fills for ten seconds, is written away, and a new one takes its place: a saw-tooth of whole
// structures.
package memtables;

import java.util.concurrent.ConcurrentSkipListMap;
import pace.Pace;

/** Five hundred records a second. */
public final class Main {
    private static final int MOST = 5_000;
    static volatile ConcurrentSkipListMap<Long, byte[]> table = new ConcurrentSkipListMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long added = 0;
        long written = 0;
        while (pace.running()) {
            for (; added < pace.due(500); added++) {
                table.put(added, new byte[500]);
                if (table.size() >= MOST) {
                    table = new ConcurrentSkipListMap<>();
                    written++;
                    System.gc();
                }
            }
            pace.pause();
        }
        System.out.printf("memtables: %d records, %d tables written%n", added, written);
    }
}
