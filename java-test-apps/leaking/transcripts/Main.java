// Structures that have no members: their contents lie in one array of primitive values, which a longer one takes the place of
// when it is full. Five of them, held in five ways.
package transcripts;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import pace.Pace;

/** An open-addressed map of longs: two arrays of one length, three quarters full at most. */
final class LongMap {
    private long[] keys = new long[16];
    private long[] values = new long[16];
    private int used;

    void put(long key, long value) {
        int at = place(key);
        if (keys[at] == 0) {
            used++;
        }
        keys[at] = key;
        values[at] = value;
        if (4 * used > 3 * keys.length) {
            grow();
        }
    }

    private int place(long key) {
        int at = Long.hashCode(key * 0x9E3779B97F4A7C15L) & (keys.length - 1);
        while (keys[at] != 0 && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldValues = values;
        keys = new long[2 * oldKeys.length];
        values = new long[2 * oldKeys.length];
        used = 0;
        for (int at = 0; at < oldKeys.length; at++) {
            if (oldKeys[at] != 0) {
                put(oldKeys[at], oldValues[at]);
            }
        }
    }
}

/** What a customer did, a number for each step. */
final class History {
    private int[] steps = new int[10];
    private int count;

    void add(int step) {
        if (count == steps.length) {
            steps = Arrays.copyOf(steps, count + count / 2);
        }
        steps[count++] = step;
    }
}

/** Writes everything down and throws nothing away. */
public final class Main {
    static final StringBuilder log = new StringBuilder();
    static final BitSet seen = new BitSet();
    static final LongMap prices = new LongMap();
    static final Map<String, History> customers = new HashMap<>();
    static String trail = "";

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        customers.put("the only one", new History());
        long logged = 0;
        long steps = 0;
        long priced = 0;
        while (pace.running()) {
            for (; logged < pace.due(20); logged++) {
                log.append("twenty characters...");
                seen.set((int) (640 * logged));
                trail += "1234567890";
            }
            for (; priced < pace.due(150); priced++) {
                prices.put(7919 * priced + 1, priced);
            }
            for (; steps < pace.due(300); steps++) {
                customers.get("the only one").add((int) steps);
            }
            pace.pause();
        }
        System.out.printf("transcripts: %d lines, %d prices, %d steps%n", logged, priced, steps);
    }
}
