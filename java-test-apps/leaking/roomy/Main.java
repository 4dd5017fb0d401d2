// A list that was made with room for a million and leaks into it: its array is never replaced, and bounds nothing that
// anybody will live to see.
package roomy;

import java.util.ArrayList;
import pace.Pace;

final class Ticket {
    final byte[] body = new byte[32];
}

/** Keeps twenty tickets a second. */
public final class Main {
    static final ArrayList<Ticket> tickets = new ArrayList<>(1_000_000);

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (tickets.size() < pace.due(20)) {
                tickets.add(new Ticket());
            }
            pace.pause();
        }
        System.out.printf("roomy: %d tickets%n", tickets.size());
    }
}
