import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rootbound.junit.MemoryAssertions;

/**
 * What the assertions cost, in milliseconds: median, least and largest of some runs in one JVM. JMemoryBuddy is measured
 * beside them where it is on the class path.
 */
public final class Costs {
    private static final int RUNS = 9;
    private static final String OTHER = "de.sandec.jmemorybuddy.JMemoryBuddy";
    static final Map<String, Object> KEPT = new HashMap<>();
    static Object heap;

    interface Work {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("jmemorybuddy.createHeapdump", "false");
        for (int objects : new int[] {10, 10_000, 1_000_000}) {
            List<Object> structure = structure(objects);
            measured("assertSize of " + objects + " objects", () ->
                    MemoryAssertions.assertSize("small", Integer.MAX_VALUE, structure));
        }
        heap = structure(200_000);
        measured("System.gc()", System::gc);
        KEPT.put("x", new Object[1]);
        measured("assertGC that passes", () -> MemoryAssertions.assertGC("gone", weak(new Object[1])));
        measured("assertGC that fails", () -> mustFail(() -> MemoryAssertions.assertGC("kept", weak(KEPT.get("x")))));
        System.setProperty("rootbound.gc.rounds", "1");
        measured("assertGC that fails, one round", () ->
                mustFail(() -> MemoryAssertions.assertGC("kept", weak(KEPT.get("x")))));
        measured("paths", () -> MemoryAssertions.paths(KEPT.get("x"), 1));
        measured("assertNoGrowth that passes, empty scenario", () -> MemoryAssertions.assertNoGrowth(() -> { }, 1));
        beside();
        measured("HPROF dump of the same heap, not read", Costs::dump);
    }

    private static void beside() throws Exception {
        Method collectable;
        try {
            collectable = Class.forName(OTHER).getMethod("assertCollectable", WeakReference.class);
        } catch (ClassNotFoundException error) {
            System.out.println("JMemoryBuddy is not on the class path");
            return;
        }
        measured("JMemoryBuddy.assertCollectable that passes", () -> call(collectable, weak(new Object[1])));
        measured("JMemoryBuddy.assertCollectable that fails", () ->
                mustFail(() -> call(collectable, weak(KEPT.get("x")))));
    }

    private static void call(Method collectable, WeakReference<Object> reference) throws Exception {
        try {
            collectable.invoke(null, reference);
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof AssertionError) {
                throw (AssertionError) error.getCause();
            }
            throw error;
        }
    }

    private static WeakReference<Object> weak(Object object) {
        return new WeakReference<>(object);
    }

    private static void mustFail(Work work) throws Exception {
        try {
            work.run();
        } catch (AssertionError error) {
            return;
        }
        throw new IllegalStateException("it passed");
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
        System.out.printf("%-45s %8.1f %8.1f %8.1f%n", name, times[RUNS / 2], times[0], times[RUNS - 1]);
    }
}
