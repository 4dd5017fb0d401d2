// A ConcurrentHashMap that was large from the start and grows by a little: nobody can count it in one visit, and its
// size stands nowhere as a number, for two writers share the counting.
package bigtable;

import java.util.concurrent.ConcurrentHashMap;
import pace.Pace;

final class Quote {
    final long number;

    Quote(long number) {
        this.number = number;
    }
}

/** Begins with a hundred thousand quotes; then each of two exchanges adds twenty-five a second. */
public final class Main {
    static final int PRELOADED = 100_000;
    static final ConcurrentHashMap<Long, Quote> quotes = new ConcurrentHashMap<>();

    private Main() {}

    private static void quote(long first, Pace pace) {
        long added = 0;
        while (pace.running()) {
            for (; added < pace.due(25); added++) {
                long number = first + 2 * added;
                quotes.put(number, new Quote(number));
            }
            pace.pause();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (long number = 0; number < PRELOADED; number++) {
            quotes.put(number, new Quote(number));
        }
        Pace pace = new Pace();
        Thread second = new Thread(() -> quote(PRELOADED + 1, pace), "second exchange");
        second.start();
        quote(PRELOADED, pace);
        second.join();
        System.out.printf("bigtable: %d quotes%n", quotes.size());
    }
}
