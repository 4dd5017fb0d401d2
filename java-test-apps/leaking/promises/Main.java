// Actions that wait for a promise which nobody keeps: each hangs from the one before, over two fields in turns. The chain
// is too long for a message that names each of its objects.
package promises;

import java.util.concurrent.CompletableFuture;
import pace.Pace;

/** Fifty actions a second, after a quarter of a million. */
public final class Main {
    private static final int BEFORE = 250_000;
    static final CompletableFuture<Void> neverKept = new CompletableFuture<>();

    private Main() {}

    public static void main(String[] args) {
        CompletableFuture<Void> last = neverKept;
        for (int action = 0; action < BEFORE; action++) {
            last = last.thenRun(Main::act);
        }
        Pace pace = new Pace();
        long added = 0;
        while (pace.running()) {
            for (; added < pace.due(50); added++) {
                last = last.thenRun(Main::act);
            }
            pace.pause();
        }
        System.out.printf("promises: %d actions wait%n", BEFORE + added);
    }

    private static void act() {}
}
