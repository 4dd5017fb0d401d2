// Two bounded queues whose consumers are too slow: they fill steadily, like leaks, and can never hold more than their
// arrays. One is the JDK's, the other hand-written.
package boundedqueue;

import java.util.concurrent.ArrayBlockingQueue;
import pace.Pace;

final class Task {
    final byte[] payload = new byte[64];
}

final class Message {
    final byte[] payload = new byte[64];
}

/** Begins anywhere, goes around the end, refuses what has no room. */
final class Outbox {
    private final Message[] slots = new Message[3000];
    private int first;
    private int count;

    boolean offer(Message message) {
        if (count == slots.length) {
            return false;
        }
        slots[(first + count++) % slots.length] = message;
        return true;
    }

    void poll() {
        if (count > 0) {
            slots[first] = null;
            first = (first + 1) % slots.length;
            count--;
        }
    }
}

/** Forty tasks a second come and eight are done; eighty messages come and twenty are sent. */
public final class Main {
    static final ArrayBlockingQueue<Task> tasks = new ArrayBlockingQueue<>(2000);
    static final Outbox outbox = new Outbox();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long offered = 0, done = 0, written = 0, sent = 0, refused = 0;
        while (pace.running()) {
            for (; done < pace.due(8); done++) {
                tasks.poll();
            }
            for (; offered < pace.due(40); offered++) {
                refused += tasks.offer(new Task()) ? 0 : 1;
            }
            for (; sent < pace.due(20); sent++) {
                outbox.poll();
            }
            for (; written < pace.due(80); written++) {
                refused += outbox.offer(new Message()) ? 0 : 1;
            }
            pace.pause();
        }
        System.out.printf("boundedqueue: %d tasks waiting, %d refused%n", tasks.size(), refused);
    }
}
