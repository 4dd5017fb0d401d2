import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import rootbound.junit.Growth;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryAssertions;

/** Times a passing and a failing search on a heap of so many objects; prints medians in milliseconds. */
public class Costs {
    static final List<Object[]> HEAP = new ArrayList<>();
    static final List<Object> LEAK = new ArrayList<>();
    static final int TIMES = 9;

    public static void main(String[] arguments) {
        int objects = Integer.parseInt(arguments[0]);
        for (int made = 0; made < objects; made += 4) {
            HEAP.add(new Object[] {new int[4], "n" + made});
        }
        time("passing", () -> MemoryAssertions.assertNoGrowth(() -> { }, 2));
        time("failing", () -> {
            Growth growth = MemoryAssertions.findGrowth(() -> LEAK.add(new Object()), GrowthOptions.defaults());
            if (growth.isEmpty()) {
                throw new IllegalStateException("not found");
            }
        });
        long[] collections = new long[TIMES];
        for (int time = 0; time < TIMES; time++) {
            long start = System.nanoTime();
            System.gc();
            collections[time] = System.nanoTime() - start;
        }
        print("one System.gc()", collections);
        System.out.println(HEAP.size() * 4 + " objects in the program's own list");
    }

    static void time(String name, Runnable search) {
        search.run();
        long[] taken = new long[TIMES];
        for (int time = 0; time < TIMES; time++) {
            long start = System.nanoTime();
            search.run();
            taken[time] = System.nanoTime() - start;
        }
        print(name, taken);
    }

    static void print(String name, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf("%s: median %.0f ms, %.0f to %.0f ms%n", name, nanos[TIMES / 2] / 1e6, nanos[0] / 1e6,
                nanos[TIMES - 1] / 1e6);
    }
}
