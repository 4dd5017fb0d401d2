// A ConcurrentHashMap that two threads fill at once: its table is rebuilt while it is being read.
package concurrent;

import java.util.concurrent.ConcurrentHashMap;
import pace.Pace;

final class Ticket {
    final long number;

    Ticket(long number) {
        this.number = number;
    }
}

/** Sells five tickets a second at each of two counters. */
public final class Main {
    static final ConcurrentHashMap<String, Ticket> sold = new ConcurrentHashMap<>();

    private Main() {}

    private static void sell(String counter, Pace pace) {
        long tickets = 0;
        while (pace.running()) {
            for (; tickets < pace.due(5); tickets++) {
                sold.put(counter + "-" + tickets, new Ticket(tickets));
            }
            pace.pause();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Pace pace = new Pace();
        Thread second = new Thread(() -> sell("south", pace), "south");
        second.start();
        sell("north", pace);
        second.join();
        System.out.printf("concurrent: %d tickets%n", sold.size());
    }
}
