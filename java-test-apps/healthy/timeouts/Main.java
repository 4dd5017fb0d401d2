// Sessions with a time-out: nobody logs out, some are used again and again, and who is idle for four seconds is gone.
package timeouts;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

final class Session {
    double lastSeen;
}

/** Fifteen users a second come; each fifth is a robot that returns every second for twenty seconds. */
public final class Main {
    static final double IDLE_SECONDS = 4;
    static final double ROBOT_SECONDS = 20;
    static final Map<Long, Session> sessions = new HashMap<>();

    private Main() {}

    private static void touch(long user, double now) {
        sessions.computeIfAbsent(user, fresh -> new Session()).lastSeen = now;
    }

    public static void main(String[] args) {
        Pace pace = new Pace();
        long users = 0;
        long rounds = 0;
        while (pace.running()) {
            double now = pace.seconds();
            for (; users < pace.due(15); users++) {
                touch(users, now);
            }
            for (; rounds < pace.due(1); rounds++) {
                long first = Math.max(0, users - (long) (15 * ROBOT_SECONDS));
                for (long robot = first - first % 5; robot < users; robot += 5) {
                    touch(robot, now);
                }
                sessions.values().removeIf(session -> session.lastSeen < now - IDLE_SECONDS);
            }
            pace.pause();
        }
        System.out.printf("timeouts: %d users, %d sessions%n", users, sessions.size());
    }
}
