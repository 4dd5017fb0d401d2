// A leak that nobody could see at first: the journal is short and stands still until the program has run for 24 seconds,
// long after the first capture. Only a later capture can tell it from what is healthy.
package lateleak;

import java.util.ArrayList;
import java.util.HashMap;
import pace.Pace;

final class Complaint {
    final long number;
    final byte[] letter = new byte[16];

    Complaint(long number) {
        this.number = number;
    }
}

/** What a department has done; filled when it opens. */
final class Journal {
    final ArrayList<Complaint> complaints = new ArrayList<>();
}

/** From the 24th second on a complaint is filed ten times a second, and none is ever settled. */
public final class Main {
    static final double QUIET_SECONDS = 24;
    static final Journal journal = new Journal();
    static final HashMap<Integer, String> departments = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        for (int i = 0; i < 200; i++) {
            departments.put(i, "department " + i);
            journal.complaints.add(new Complaint(i));
        }
        long filed = 0;
        while (pace.running()) {
            long due = pace.due(10) - (long) (10 * QUIET_SECONDS);
            while (filed < due) {
                journal.complaints.add(new Complaint(filed++));
            }
            pace.pause();
        }
        System.out.printf("lateleak: %d complaints%n", journal.complaints.size());
    }
}
