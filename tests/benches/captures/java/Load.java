import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Threads that put, get and remove in one map, each operation timed. Arguments: entries, threads. Says READY, then ten
 * times a second {@code AT endMillis elapsedMicros operations worstMicros}; runs until it is killed.
 */
public class Load {
    static final ConcurrentHashMap<Integer, Object[]> MAP = new ConcurrentHashMap<>();
    static volatile Object sink;
    /** For each thread: operations since the last line, and the longest of them in nanoseconds; 16 words apart. */
    static AtomicLongArray counts;

    public static void main(String[] arguments) throws Exception {
        int entries = Integer.parseInt(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        for (int key = 0; key < entries; key++) {
            MAP.put(key, new Object[] {new byte[8], "s" + key});
        }
        counts = new AtomicLongArray(threads * 32);
        for (int number = 0; number < threads; number++) {
            int mine = number * 32;
            Thread worker = new Thread(() -> work(entries, mine), "worker " + number);
            worker.setDaemon(true);
            worker.start();
        }
        System.out.println("READY");
        for (long last = System.nanoTime();;) {
            Thread.sleep(100);
            long now = System.nanoTime();
            long operations = 0;
            long worst = 0;
            for (int mine = 0; mine < counts.length(); mine += 32) {
                operations += counts.getAndSet(mine, 0);
                worst = Math.max(worst, counts.getAndSet(mine + 16, 0));
            }
            System.out.println("AT " + System.currentTimeMillis() + " " + (now - last) / 1000 + " " + operations + " "
                    + worst / 1000);
            last = now;
        }
    }

    private static void work(int entries, int mine) {
        Random random = new Random(mine);
        while (true) {
            long begin = System.nanoTime();
            int key = random.nextInt(entries);
            MAP.put(key, new Object[] {new byte[random.nextInt(200)], "s" + key});
            if ((key & 7) == 0) {
                MAP.remove(random.nextInt(entries));
            }
            byte[][] garbage = new byte[20][];
            for (int i = 0; i < garbage.length; i++) {
                garbage[i] = new byte[100];
            }
            sink = garbage;
            long took = System.nanoTime() - begin;
            counts.incrementAndGet(mine);
            counts.accumulateAndGet(mine + 16, took, Math::max);
        }
    }
}
