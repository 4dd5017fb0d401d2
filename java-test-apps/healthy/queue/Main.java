// A queue that fills for two seconds and drains for two: whoever looks for a moment only sees it grow.
package queue;

import java.util.ArrayDeque;
import pace.Pace;

final class Job {
    final byte[] payload = new byte[64];
}

/** Takes in three hundred jobs a second, half of the time, and works them off in the other half. */
public final class Main {
    private static final int PER_SECOND = 300;
    private static final double HALF_PERIOD_SECONDS = 2;

    static final ArrayDeque<Job> jobs = new ArrayDeque<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long done = 0;
        while (pace.running()) {
            double phase = pace.seconds() % (2 * HALF_PERIOD_SECONDS);
            double fill = phase < HALF_PERIOD_SECONDS ? phase : 2 * HALF_PERIOD_SECONDS - phase;
            long wanted = (long) (fill * PER_SECOND);
            while (jobs.size() < wanted) {
                jobs.addLast(new Job());
            }
            while (jobs.size() > wanted) {
                jobs.removeFirst();
                done++;
            }
            pace.pause();
        }
        System.out.printf("queue: %d jobs done, %d waiting%n", done, jobs.size());
    }
}
