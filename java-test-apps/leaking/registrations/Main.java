// The same few objects again and again: nothing that is new comes into the two lists that grow.
package registrations;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import pace.Pace;

/** Is told of each order. */
final class OrderListener {
    private long heard;

    void hear() {
        heard++;
    }

    long heard() {
        return heard;
    }
}

/** Knows who listens. */
final class Bus {
    private final List<OrderListener> listeners = new CopyOnWriteArrayList<>();

    void register(OrderListener listener) {
        listeners.add(listener);
    }

    int size() {
        return listeners.size();
    }
}

/** Registers its one listener with each request. Nothing ever unregisters it. */
public final class Main {
    static final Bus bus = new Bus();
    static final List<String> states = new ArrayList<>();
    static final OrderListener[] onDuty = new OrderListener[64];

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        OrderListener listener = new OrderListener();
        String[] names = {"open", "paid", "sent"};
        long registered = 0;
        long noted = 0;
        while (pace.running()) {
            for (; registered < pace.due(10); registered++) {
                bus.register(listener);
                listener.hear();
                onDuty[(int) (registered % onDuty.length)] = listener;
            }
            for (; noted < pace.due(50); noted++) {
                states.add(names[(int) (noted % names.length)]);
            }
            pace.pause();
        }
        System.out.printf("registrations: %d of a listener that heard %d, %d states%n", bus.size(), listener.heard(), noted);
    }
}
