// A PriorityQueue of timers: those of finished requests are never cancelled and due only tomorrow, while short ones come
// and go at its head and move the others about.
package timers;

import java.util.PriorityQueue;
import pace.Pace;

final class Timer implements Comparable<Timer> {
    final double dueSeconds;

    Timer(double dueSeconds) {
        this.dueSeconds = dueSeconds;
    }

    @Override
    public int compareTo(Timer other) {
        return Double.compare(dueSeconds, other.dueSeconds);
    }
}

/** Sets thirty timers of half a second and six of a day, each second. */
public final class Main {
    static final double DAY = 86_400;
    static final PriorityQueue<Timer> timers = new PriorityQueue<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long requests = 0;
        long forgotten = 0;
        while (pace.running()) {
            for (; requests < pace.due(30); requests++) {
                timers.add(new Timer(pace.seconds() + 0.5));
            }
            for (; forgotten < pace.due(6); forgotten++) {
                timers.add(new Timer(DAY + pace.seconds()));
            }
            while (!timers.isEmpty() && timers.peek().dueSeconds <= pace.seconds()) {
                timers.remove();
            }
            pace.pause();
        }
        System.out.printf("timers: %d requests, %d timers set%n", requests, timers.size());
    }
}
