// Many large maps that gain together: no single one is a leak worth a row, and all of them are too large to count.
package tenants;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

/** What one tenant has asked so far. */
final class Tenant {
    private final Map<Long, String> answers = new HashMap<>();

    void answer(long question) {
        answers.put(question, "answer");
    }

    int size() {
        return answers.size();
    }
}

/** Remembers all answers of all tenants. */
public final class Main {
    static final int COUNT = 128;
    static final int KNOWN = 1500;
    static final Tenant[] tenants = new Tenant[COUNT];

    private Main() {}

    public static void main(String[] args) {
        for (int at = 0; at < COUNT; at++) {
            tenants[at] = new Tenant();
            for (int known = 0; known < KNOWN; known++) {
                tenants[at].answer(-1L - known);
            }
        }
        Pace pace = new Pace();
        long answered = 0;
        while (pace.running()) {
            for (; answered < pace.due(200); answered++) {
                tenants[(int) (answered * 31 % COUNT)].answer(answered);
            }
            pace.pause();
        }
        int all = 0;
        for (Tenant tenant : tenants) {
            all += tenant.size();
        }
        System.out.printf("tenants: %d answered, %d known%n", answered, all);
    }
}
