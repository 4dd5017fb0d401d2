// Sessions without a time-out: who logs out is forgotten, but four in ten just close their browser.
package sessions;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

final class Session {
    final String user;
    double lastSeen;

    Session(String user) {
        this.user = user;
    }
}

/** Ten users a second log in; two seconds later six of them log out. */
public final class Main {
    static final Map<Long, Session> sessions = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long in = 0;
        long out = 0;
        while (pace.running()) {
            for (; in < pace.due(10); in++) {
                sessions.put(in, new Session("user " + in));
            }
            for (; out < pace.due(10) - 20; out++) {
                if (out % 10 < 6) {
                    sessions.remove(out);
                }
            }
            pace.pause();
        }
        System.out.printf("sessions: %d logged in, %d still there%n", in, sessions.size());
    }
}
