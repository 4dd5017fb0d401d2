// Section 4.2 of the AntTracks paper: statistics of run times that keep every measurement. The structure is the program's
// own; statistics.ds describes it.
package statistics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import pace.Pace;

/** The run times of all threads. */
final class ApplicationStatistics {
    /** One measured stretch of code. */
    static final class Measurement {
        final long begin;
        final long end;

        Measurement(long begin, long end) {
            this.begin = begin;
            this.end = end;
        }
    }

    /** The measurements of one stretch of code. */
    static final class MeasurementGroup {
        final String name;
        final List<Measurement> measurements = new ArrayList<>();

        MeasurementGroup(String name) {
            this.name = name;
        }
    }

    static final ApplicationStatistics instance = new ApplicationStatistics();

    private final Map<String, MeasurementGroup> groups = new HashMap<>();

    void measured(String name, long begin, long end) {
        groups.computeIfAbsent(name, MeasurementGroup::new).measurements.add(new Measurement(begin, end));
    }

    int size() {
        return groups.values().stream().mapToInt(group -> group.measurements.size()).sum();
    }
}

/** Measures six stretches of code, five thousand times a second. */
public final class Main {
    private static final String[] NAMES = {"parse", "read", "resolve", "link", "check", "write"};

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long measured = 0;
        while (pace.running()) {
            for (; measured < pace.due(5000); measured++) {
                ApplicationStatistics.instance.measured(NAMES[(int) (measured % NAMES.length)], measured, measured + 1);
            }
            pace.pause();
        }
        System.out.printf("statistics: %d measurements%n", ApplicationStatistics.instance.size());
    }
}
