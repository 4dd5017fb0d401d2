// A structure that no static field knows: only a local variable in main's frame holds it.
package threadheld;

import java.util.ArrayList;
import pace.Pace;

final class Measurement {
    final double value;

    Measurement(double value) {
        this.value = value;
    }
}

final class Protocol {
    final ArrayList<Measurement> measurements = new ArrayList<>();
}

/** Takes eight measurements a second. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        Protocol protocol = new Protocol();
        while (pace.running()) {
            while (protocol.measurements.size() < pace.due(8)) {
                protocol.measurements.add(new Measurement(pace.seconds()));
            }
            pace.pause();
        }
        System.out.printf("threadheld: %d measurements%n", protocol.measurements.size());
    }
}
