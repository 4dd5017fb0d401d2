// An ArrayDeque that loses at its head less than it gains at its tail: what it holds wanders round and round through
// its array.
package backlog;

import java.util.ArrayDeque;
import pace.Pace;

final class Letter {
    final byte[] text = new byte[48];
}

/** Twenty letters arrive and twelve are answered, each second. */
public final class Main {
    static final ArrayDeque<Letter> unanswered = new ArrayDeque<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long arrived = 0;
        long answered = 0;
        while (pace.running()) {
            for (; arrived < pace.due(20); arrived++) {
                unanswered.addLast(new Letter());
            }
            for (; answered < pace.due(12); answered++) {
                unanswered.removeFirst();
            }
            pace.pause();
        }
        System.out.printf("backlog: %d arrived, %d unanswered%n", arrived, unanswered.size());
    }
}
