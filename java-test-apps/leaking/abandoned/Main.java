// A leak that has run for hours before anybody looks: nearly all abandoned sessions are older than the mark, and each
// of them is a container whose contents change.
package abandoned;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import pace.Pace;

/** The pages that a user saw last; older ones go. */
final class Pages extends LinkedHashMap<String, byte[]> {
    static final int MOST = 40;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
        return size() > MOST;
    }
}

final class Session {
    final Pages pages = new Pages();

    Session(int number) {
        for (int page = 0; page < Pages.MOST; page++) {
            pages.put("page " + page + " of " + number, new byte[64]);
        }
    }
}

/** Six hundred sessions at the start, three more a second, of which none ends; six hundred pages a second. */
public final class Main {
    static final List<Session> sessions = new ArrayList<>();

    private Main() {}

    public static void main(String[] args) {
        for (int number = 0; number < 600; number++) {
            sessions.add(new Session(number));
        }
        Pace pace = new Pace();
        Random random = new Random(1);
        long begun = 0;
        long seen = 0;
        while (pace.running()) {
            for (; begun < pace.due(3); begun++) {
                sessions.add(new Session(sessions.size()));
            }
            for (; seen < pace.due(600); seen++) {
                sessions.get(random.nextInt(sessions.size())).pages.put("page " + seen, new byte[64]);
            }
            pace.pause();
        }
        System.out.printf("abandoned: %d sessions%n", sessions.size());
    }
}
