// Two structures that only collections make smaller, and none does here: a weak map whose keys have grown old when they
// die, and a cache whose values are held softly while memory is plentiful. Neither is a leak.
package attachments;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import pace.Pace;

final class Order {
    final long number;

    Order(long number) {
        this.number = number;
    }
}

final class Note {
    final String text;

    Note(String text) {
        this.text = text;
    }
}

final class Thumbnail {
    final byte[] pixels = new byte[200];
}

/** A cache's entry, which its owner removes when the collector has taken the value. */
final class Slot extends SoftReference<Thumbnail> {
    final Long order;

    Slot(Long order, Thumbnail thumbnail, ReferenceQueue<Thumbnail> taken) {
        super(thumbnail, taken);
        this.order = order;
    }
}

/** Takes sixty orders a second, each with a note and a thumbnail; the last three hundred are kept. */
public final class Main {
    static final int KEPT = 300;
    static final Order[] latest = new Order[KEPT];
    static final Map<Order, Note> notes = new WeakHashMap<>();
    static final Map<Long, Slot> thumbnails = new ConcurrentHashMap<>();
    static final ReferenceQueue<Thumbnail> taken = new ReferenceQueue<>();

    private Main() {}

    static void take(long number) {
        Order order = new Order(number);
        latest[(int) (number % KEPT)] = order;
        notes.put(order, new Note("note " + number));
        thumbnails.put(number, new Slot(number, new Thumbnail(), taken));
        for (Slot slot = (Slot) taken.poll(); slot != null; slot = (Slot) taken.poll()) {
            thumbnails.remove(slot.order, slot);
        }
    }

    /** Allocates enough for a young collection now and then. */
    static int churn() {
        int sum = 0;
        for (int at = 0; at < 64; at++) {
            sum += new byte[1024].length;
        }
        return sum;
    }

    public static void main(String[] args) {
        Pace pace = new Pace();
        long taken = 0;
        long churned = 0;
        while (pace.running()) {
            for (; taken < pace.due(60); taken++) {
                take(taken);
            }
            churned += churn();
            pace.pause();
        }
        System.out.printf("attachments: %d orders, %d notes, %d thumbnails, %d%n", taken, notes.size(), thumbnails.size(), churned);
    }
}
