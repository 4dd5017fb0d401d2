// A hand-written ring buffer: each message takes the place of the oldest. All of its members are new, its size is fixed.
package ring;

import pace.Pace;

final class Message {
    final long number;

    Message(long number) {
        this.number = number;
    }
}

final class Ring {
    private final Message[] slots = new Message[400];
    private int next;

    void put(Message message) {
        slots[next] = message;
        next = (next + 1) % slots.length;
    }
}

/** Logs eighty messages a second and keeps the last four hundred. */
public final class Main {
    static final Ring log = new Ring();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long logged = 0;
        while (pace.running()) {
            for (; logged < pace.due(80); logged++) {
                log.put(new Message(logged));
            }
            pace.pause();
        }
        System.out.printf("ring: %d messages logged%n", logged);
    }
}
