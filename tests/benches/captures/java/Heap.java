import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A heap of so many objects (maps, lists, strings, boxes, arrays), then garbage at a steady pace. Arguments: objects,
 * megabytes of garbage a second, members that leak a second. Says READY when the heap stands; runs until it is killed.
 */
public class Heap {
    static final Map<String, Object[]> MAP = new HashMap<>();
    static final List<Object> LIST = new LinkedList<>();
    static final List<Object> LEAK = new ArrayList<>();
    static final class Leaked {
        long number;
    }

    /** Old objects for handles. */
    static final Object[] HEADS = new Object[1024];
    static final Object[] RECENT = new Object[4096];

    public static void main(String[] arguments) throws Exception {
        long objects = Long.parseLong(arguments[0]);
        double garbageBytes = Double.parseDouble(arguments[1]) * 1e6;
        double leakPerSecond = Double.parseDouble(arguments[2]);
        fill(objects);
        System.out.println("READY");
        long start = System.nanoTime();
        double made = 0;
        for (int slot = 0;; Thread.sleep(5)) {
            double seconds = (System.nanoTime() - start) / 1e9;
            while (made < seconds * garbageBytes) {
                int length = 10 + (slot & 63);
                RECENT[slot++ & 4095] = new Object[length];
                made += 16 + 4 * length;
            }
            while (LEAK.size() < seconds * leakPerSecond) {
                LEAK.add(new Leaked());
            }
        }
    }

    /** An entry of the map makes eight objects. */
    private static void fill(long objects) {
        Random random = new Random(1);
        for (int at = 0; at < HEADS.length; at++) {
            HEADS[at] = new ArrayList<>();
        }
        for (long made = 0; made < objects; made += 8) {
            Object[] value = {new byte[16], 1000 + random.nextInt(1 << 30), new ArrayList<>(List.of("a"))};
            MAP.put("k" + made, value);
            if (random.nextInt(4) == 0) {
                LIST.add(value);
                made++;
            }
        }
    }
}
