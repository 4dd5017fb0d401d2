// The everyday leak: a static HashMap that is filled and never emptied.
package hashleak;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

final class Session {
    final String user;
    final byte[] state = new byte[64];

    Session(String user) {
        this.user = user;
    }
}

/** Logs in ten users a second; nobody logs out. */
public final class Main {
    static final Map<String, Session> sessions = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (sessions.size() < pace.due(10)) {
                String user = "user-" + sessions.size();
                sessions.put(user, new Session(user));
            }
            pace.pause();
        }
        System.out.printf("hashleak: %d sessions%n", sessions.size());
    }
}
