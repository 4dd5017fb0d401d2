// A map of lists: no key is ever added, each list grows. The members lie five references below the map.
package mapoflists;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import pace.Pace;

final class Order {
    final long number;

    Order(long number) {
        this.number = number;
    }
}

/** Thirty customers, who order twelve times a second among them. */
public final class Main {
    static final int CUSTOMERS = 30;
    static final Map<String, List<Order>> orders = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        for (int customer = 0; customer < CUSTOMERS; customer++) {
            orders.put("customer " + customer, new ArrayList<>());
        }
        Pace pace = new Pace();
        long ordered = 0;
        while (pace.running()) {
            for (; ordered < pace.due(12); ordered++) {
                orders.get("customer " + ordered % CUSTOMERS).add(new Order(ordered));
            }
            pace.pause();
        }
        System.out.printf("mapoflists: %d orders%n", ordered);
    }
}
