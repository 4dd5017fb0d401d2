// A leak that starts long after the program: "after five minutes", ten times as fast. Until then even the object that
// will hold it does not exist, and the program is in healthy flux.
package nightjob;

import java.util.ArrayDeque;
import java.util.HashMap;
import pace.Pace;

final class Row {
    final long number;

    Row(long number) {
        this.number = number;
    }
}

final class Export {
    final HashMap<Long, Row> rows = new HashMap<>();
}

/** Serves a hundred requests a second, five hundred at once; from the 30th second on exports ten rows a second. */
public final class Main {
    static final double NIGHT_SECONDS = 30;
    static final ArrayDeque<Row> requests = new ArrayDeque<>();
    static Export export;

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long served = 0;
        while (pace.running()) {
            for (; served < pace.due(100); served++) {
                requests.addLast(new Row(served));
                if (requests.size() > 500) {
                    requests.removeFirst();
                }
            }
            long due = pace.due(10) - (long) (10 * NIGHT_SECONDS);
            if (due > 0 && export == null) {
                export = new Export();
            }
            while (export != null && export.rows.size() < due) {
                export.rows.put((long) export.rows.size(), new Row(served));
            }
            pace.pause();
        }
        System.out.printf("nightjob: %d served, %d rows%n", served, export == null ? 0 : export.rows.size());
    }
}
