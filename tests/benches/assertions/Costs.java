import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rootbound.junit.MemoryAssertions;
import rootbound.junit.SizeFilter;

/** What the assertions cost, in milliseconds: median and largest of some runs in one JVM. */
public final class Costs {
    private static final int RUNS = 7;
    static final Map<String, Object> KEPT = new HashMap<>();
    static Object heap;

    interface Work {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        for (int objects : new int[] {10, 10_000, 1_000_000}) {
            List<Object> structure = structure(objects);
            measured("measure of " + objects + " objects", () ->
                    MemoryAssertions.measure(List.of(structure), SizeFilter.none()));
        }
        heap = structure(200_000);
        measured("System.gc()", System::gc);
        measured("assertGC that passes", () ->
                MemoryAssertions.assertGC("gone", new WeakReference<>(new Object[1])));
        System.setProperty("rootbound.gc.rounds", "1");
        KEPT.put("x", new Object[1]);
        measured("assertGC that fails, one round", () -> {
            try {
                MemoryAssertions.assertGC("kept", new WeakReference<>(KEPT.get("x")));
            } catch (AssertionError error) {
                return;
            }
            throw new IllegalStateException("it passed");
        });
        measured("paths", () -> MemoryAssertions.paths(KEPT.get("x"), 1));
        measured("HPROF dump of the same heap, not read", Costs::dump);
    }

    /** A list of instances: so many objects, with the list and its array. */
    private static List<Object> structure(int objects) {
        List<Object> structure = new ArrayList<>(objects);
        while (structure.size() < objects - 2) {
            structure.add(new Object());
        }
        return structure;
    }

    private static void dump() throws Exception {
        File file = new File(System.getProperty("java.io.tmpdir"), "costs.hprof");
        file.delete();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.getPath(), true);
        file.delete();
    }

    private static void measured(String name, Work work) throws Exception {
        work.run();
        double[] times = new double[RUNS];
        for (int run = 0; run < RUNS; run++) {
            long begun = System.nanoTime();
            work.run();
            times[run] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(times);
        System.out.printf("%-40s %8.1f %8.1f%n", name, times[RUNS / 2], times[RUNS - 1]);
    }
}
