// Several leaks of different speeds under one object, of different kinds: the one that matters most must come first.
package speeds;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import pace.Pace;

final class Metrics {
    final ArrayList<double[]> samples = new ArrayList<>();
    final HashMap<String, String> labels = new HashMap<>();
    final ArrayDeque<StringBuilder> errors = new ArrayDeque<>();
    final LinkedList<Object> alarms = new LinkedList<>();
}

/** Forty samples, eight labels, three errors and one alarm a second. */
public final class Main {
    static final Metrics metrics = new Metrics();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (metrics.samples.size() < pace.due(40)) {
                metrics.samples.add(new double[4]);
            }
            while (metrics.labels.size() < pace.due(8)) {
                metrics.labels.put("label " + metrics.labels.size(), "x");
            }
            while (metrics.errors.size() < pace.due(3)) {
                metrics.errors.add(new StringBuilder("error"));
            }
            while (metrics.alarms.size() < pace.due(1)) {
                metrics.alarms.add(new Object());
            }
            pace.pause();
        }
        System.out.printf("speeds: %d samples, %d labels, %d errors, %d alarms%n",
                metrics.samples.size(), metrics.labels.size(), metrics.errors.size(), metrics.alarms.size());
    }
}
