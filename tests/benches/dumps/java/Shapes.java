// A heap of maps, lists, byte arrays, boxes and cycles, written to a file as the JVM's own heap dump.
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

public final class Shapes {
    static final class Customer {
        final byte[] name;
        final List<Order> orders = new ArrayList<>();
        final Map<Integer, Long> prices = new HashMap<>();
        Customer before;
        Customer behind;

        Customer(int number) {
            name = new byte[8 + number % 40];
        }
    }

    static final class Order {
        final Customer customer;
        final LinkedList<Integer> items = new LinkedList<>();

        Order(Customer customer) {
            this.customer = customer;
        }
    }

    /** What one customer is, in objects: itself, name, list with its array, map with its table, six entries, two orders. */
    private static final int OBJECTS_EACH = 6 + 6 * 3 + 2 * (2 + 4 * 2);

    static final List<Customer> customers = new ArrayList<>();

    private Shapes() {}

    public static void main(String[] args) throws Exception {
        long objects = Long.parseLong(args[0]);
        for (int number = 0; number < objects / OBJECTS_EACH; number++) {
            customers.add(customer(number));
        }
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[1], true);
    }

    private static Customer customer(int number) {
        Customer customer = new Customer(number);
        for (int at = 0; at < 6; at++) {
            customer.prices.put(1000 + number * 6 + at, 1000L + at * number);
        }
        for (int at = 0; at < 2; at++) {
            Order order = new Order(customer);
            for (int item = 0; item < 4; item++) {
                order.items.add(1000 + number + item);
            }
            customer.orders.add(order);
        }
        if (!customers.isEmpty()) {
            Customer before = customers.get(customers.size() - 1);
            customer.before = before;
            before.behind = customer;
        }
        return customer;
    }
}
