// Arrays of primitive values that are large, move all the time, and do not grow: an arena that is filled and begun anew, a ring
// with a sequence number, a stream that is reset, a map that forgets, and builders that live for some seconds each.
package arenas;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import pace.Pace;

/** Gives out pieces of one array, and begins anew when it has been given out. */
final class Arena {
    private final byte[] bytes = new byte[4 << 20];
    private int top;

    void give(int size) {
        if (top + size > bytes.length) {
            top = 0;
        }
        Arrays.fill(bytes, top, top + size, (byte) 1);
        top += size;
    }
}

/** The last readings, by a sequence number that never ends. */
final class Ring {
    private final long[] readings = new long[1 << 16];
    private long sequence;

    void add(long reading) {
        readings[(int) (sequence++ % readings.length)] = reading;
    }
}

/** Keeps the latest ten thousand numbers, and makes room as it fills. */
final class Recent {
    private static final int MOST = 10_000;
    private int[] numbers = new int[16];
    private int count;

    void add(int number) {
        if (count == MOST) {
            System.arraycopy(numbers, MOST / 2, numbers, 0, MOST / 2);
            count = MOST / 2;
        }
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.min(MOST, 2 * count));
        }
        numbers[count++] = number;
    }
}

/** Works as much at the end as at the beginning. */
public final class Main {
    static final Arena arena = new Arena();
    static final Ring ring = new Ring();
    static final Recent recent = new Recent();
    static final BitSet seen = new BitSet();
    static final ByteArrayOutputStream reply = new ByteArrayOutputStream();
    static final ArrayDeque<StringBuilder> sessions = new ArrayDeque<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long steps = 0;
        while (pace.running()) {
            for (; steps < pace.due(100); steps++) {
                step((int) steps);
            }
            pace.pause();
        }
        System.out.printf("arenas: %d steps%n", steps);
    }

    private static void step(int step) {
        arena.give(3_000 + step % 7);
        for (int reading = 0; reading < 50; reading++) {
            ring.add(reading);
            recent.add(reading);
        }
        seen.set(step % 200_000);
        if (step % 2_000 == 0) {
            seen.clear();
        }
        reply.reset();
        reply.write(new byte[1 + (step * 7919) % 20_000], 0, 1 + (step * 7919) % 20_000);
        if (step % 50 == 0) {
            sessions.add(new StringBuilder());
        }
        sessions.forEach(session -> session.append("a line of this session's own"));
        if (sessions.size() > 20) {
            sessions.remove();
        }
    }
}
