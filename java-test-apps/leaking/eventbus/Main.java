// Listeners in a CopyOnWriteArrayList, as event buses keep them: every subscription makes a new array.
package eventbus;

import java.util.concurrent.CopyOnWriteArrayList;
import pace.Pace;

final class View implements Runnable {
    final int[] pixels = new int[16];

    @Override
    public void run() {
        pixels[0]++;
    }
}

/** Passes events on. */
final class EventBus {
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();

    void subscribe(Runnable listener) {
        listeners.add(listener);
    }

    void publish() {
        listeners.forEach(Runnable::run);
    }

    int size() {
        return listeners.size();
    }
}

/** Opens eight views a second; a closed view stays subscribed. */
public final class Main {
    static final EventBus bus = new EventBus();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (bus.size() < pace.due(8)) {
                bus.subscribe(new View());
                bus.publish();
            }
            pace.pause();
        }
        System.out.printf("eventbus: %d listeners%n", bus.size());
    }
}
