import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Threads that put, get and remove in one map without rest, and forget one entry in a hundred thousand operations in it
 * and in a queue, so that what is tracked is what is busy. Arguments: entries, threads. Says READY, then ten times a
 * second {@code AT endMillis elapsedMicros operations}; runs until it is killed.
 */
public class Busy {
    static final ConcurrentHashMap<Long, Object[]> MAP = new ConcurrentHashMap<>();
    static final ConcurrentLinkedQueue<long[]> FORGOTTEN = new ConcurrentLinkedQueue<>();
    /** For each thread its operations since the last line; 16 words apart. */
    static AtomicLongArray counts;

    public static void main(String[] arguments) throws Exception {
        int entries = Integer.parseInt(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        for (long key = 0; key < entries; key++) {
            MAP.put(key, new Object[] {new byte[8], "s" + key});
        }
        counts = new AtomicLongArray(threads * 16);
        for (int number = 0; number < threads; number++) {
            int mine = number;
            Thread worker = new Thread(() -> work(entries, mine), "worker " + number);
            worker.setDaemon(true);
            worker.start();
        }
        System.out.println("READY");
        for (long last = System.nanoTime();;) {
            Thread.sleep(100);
            long now = System.nanoTime();
            long operations = 0;
            for (int mine = 0; mine < counts.length(); mine += 16) {
                operations += counts.getAndSet(mine, 0);
            }
            System.out.println("AT " + System.currentTimeMillis() + " " + (now - last) / 1000 + " " + operations);
            last = now;
        }
    }

    private static void work(int entries, int mine) {
        Random random = new Random(mine);
        for (long done = 0;; done++) {
            long key = random.nextInt(entries);
            if ((done & 3) == 0) {
                MAP.remove(key);
            } else {
                MAP.put(key, new Object[] {new byte[random.nextInt(64)], MAP.get(key + 1) == null ? "" : "neighbour"});
            }
            if (done % 100_000 == 0) {
                MAP.put((mine + 1L << 40) + done, new Object[1]);
                FORGOTTEN.add(new long[] {done});
            }
            counts.incrementAndGet(mine * 16);
        }
    }
}
