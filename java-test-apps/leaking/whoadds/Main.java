// Two places of the code add to one map, three times as often the one as the other; nobody removes. The program
// allocates as a server does: most of it is garbage at once, and some of that garbage is of the leaking classes.
package whoadds;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

final class Order {
    final long number;

    Order(long number) {
        this.number = number;
    }
}

/** Takes forty orders a second, by checkout and by import, and forgets none. */
public final class Main {
    private static final int GARBAGE_BYTES = 16 << 10;

    static final Map<Long, Order> open = new HashMap<>();
    static Object lastAnswer;

    private Main() {}

    static void checkout(long number) {
        open.put(number, new Order(number));
    }

    static void importOne(long number) {
        open.put(number, new Order(number));
    }

    /** What a request leaves to the collector. */
    static void answer(long number) {
        Map<Long, Order> basket = new HashMap<>();
        basket.put(number, new Order(number));
        lastAnswer = new Object[] {basket, new byte[GARBAGE_BYTES]};
    }

    public static void main(String[] args) {
        Pace pace = new Pace();
        long number = 1_000;
        while (pace.running()) {
            for (; number - 1_000 < pace.due(40); number++) {
                if (number % 4 == 0) {
                    importOne(number);
                } else {
                    checkout(number);
                }
                for (int request = 0; request < 4; request++) {
                    answer(number);
                }
            }
            pace.pause();
        }
        System.out.printf("whoadds: %d orders%n", open.size());
    }
}
