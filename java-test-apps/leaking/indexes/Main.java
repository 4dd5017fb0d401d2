// Two indexes of the same orders, by name and by number, from which none is removed.
package indexes;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import pace.Pace;

final class Order {
    final String name;
    final long number;
    final byte[] text = new byte[200];

    Order(long number) {
        this.number = number;
        name = "order " + number;
    }
}

/** Ten orders a second come into both. */
public final class Main {
    static final Map<String, Order> byName = new HashMap<>();
    static final TreeMap<Long, Order> byNumber = new TreeMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long taken = 0;
        while (pace.running()) {
            for (; taken < pace.due(10); taken++) {
                Order order = new Order(taken);
                byName.put(order.name, order);
                byNumber.put(order.number, order);
            }
            pace.pause();
        }
        System.out.printf("indexes: %d orders%n", taken);
    }
}
