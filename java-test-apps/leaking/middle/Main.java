// A chain, linked both ways, that grows in its middle: its head, its tail and the nodes about them never change.
package middle;

import pace.Pace;

final class Stop {
    final long number;
    Stop before;
    Stop behind;

    Stop(long number) {
        this.number = number;
    }
}

/** A line between two termini; new stops are built half-way. */
final class Line {
    final Stop first = new Stop(0);
    final Stop last = new Stop(1);
    private Stop halfWay = first;
    int stops;

    Line() {
        first.behind = last;
        last.before = first;
    }

    void build() {
        Stop fresh = new Stop(stops);
        fresh.before = halfWay;
        fresh.behind = halfWay.behind;
        halfWay.behind.before = fresh;
        halfWay.behind = fresh;
        // The chain grew by one, so its middle moves by half a stop.
        halfWay = stops++ % 2 == 0 ? fresh : fresh.before;
    }
}

/** Builds eight stops a second. */
public final class Main {
    static final Line line = new Line();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (line.stops < pace.due(8)) {
                line.build();
            }
            pace.pause();
        }
        System.out.printf("middle: %d stops%n", line.stops);
    }
}
