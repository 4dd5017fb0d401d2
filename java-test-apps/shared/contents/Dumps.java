package contents;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Dumps of collections with 0, 1, 13 and 1000 elements. */
public final class Dumps {
    /** Fills collections with a number of elements. */
    public interface Filling {
        void fill(int count) throws Exception;
    }

    private Dumps() {}

    /** Fills, and dumps the heap to {@code filled-COUNT.hprof} in the folder, for each number. */
    public static void write(String folder, Filling filling) throws Exception {
        HotSpotDiagnosticMXBean dumper = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (int count : new int[] {0, 1, 13, 1000}) {
            filling.fill(count);
            dumper.dumpHeap(folder + "/filled-" + count + ".hprof", true);
        }
    }
}
