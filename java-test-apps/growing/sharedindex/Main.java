// Two indexes of the same orders: an order that is removed from one of them stays in the other.
package sharedindex;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

/** An order with its document. */
final class Order {
    final byte[] document = new byte[3000];
}

/** Takes a hundred orders a second. */
public final class Main {
    static final Map<Long, Order> byNumber = new HashMap<>();
    static final Map<Long, Order> byCustomer = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long orders = 0;
        while (pace.running()) {
            for (; orders < pace.due(100); orders++) {
                Order order = new Order();
                byNumber.put(1_000 + orders, order);
                byCustomer.put(1_000_000 + orders, order);
            }
            pace.pause();
        }
        System.out.printf("sharedindex: %d orders%n", byNumber.size());
    }
}
