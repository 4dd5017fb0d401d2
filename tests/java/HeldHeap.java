import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A program with a known heap: a catalogue of 300 MB that a static field holds, a leak of 25 MB beside it, and a backlog of
 * 20 MB in a singly linked queue that only a thread holds. Prints a line when all of it is there and waits to be killed.
 */
public class HeldHeap {
    static final int MB = 1 << 20;

    /** What is meant to be large. */
    static class Shop {
        static final Map<String, Product> catalogue = new HashMap<>();
    }

    static class Product {
        final byte[] picture = new byte[MB / 4];
        Product alternative;
    }

    /** What is not. */
    static class Monitor {
        private static final Monitor INSTANCE = new Monitor();
        private final List<Event> events = new ArrayList<>();
    }

    static class Event {
        final long time = System.nanoTime();
        final byte[] details = new byte[1000];
    }

    static class Mailer extends Thread {
        private final LinkedBlockingQueue<Mail> backlog = new LinkedBlockingQueue<>();

        Mailer() {
            super("mailer");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException ended) {
                // The program is over.
            }
        }
    }

    static class Mail {
        final char[] text = new char[480];
    }

    public static void main(String[] arguments) throws Exception {
        for (int at = 0; at < 1200; at++) {
            Shop.catalogue.put("product " + at, new Product());
        }
        for (int at = 0; at < 25 * MB / 1060; at++) {
            Monitor.INSTANCE.events.add(new Event());
        }
        Mailer mailer = new Mailer();
        for (int at = 0; at < 20 * MB / 1020; at++) {
            mailer.backlog.put(new Mail());
        }
        mailer.start();
        System.out.println("all there");
        Thread.sleep(Long.MAX_VALUE);
    }
}
