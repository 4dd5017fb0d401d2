import static rootbound.junit.MemoryAssertions.assertCount;
import static rootbound.junit.MemoryAssertions.assertGC;
import static rootbound.junit.MemoryAssertions.measure;

import java.io.File;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import rootbound.junit.MeasuredSize;
import rootbound.junit.MemoryAssertions;
import rootbound.junit.SizeFilter;

/**
 * Thousands of calls, and what they leave: threads, open files, memory of the process and of the heap. The argument is
 * the number of measurements.
 */
public final class Many {
    public static void main(String[] arguments) throws Exception {
        int calls = Integer.parseInt(arguments[0]);
        List<Object> structure = new ArrayList<>(List.of("a", "b", new int[4]));
        run(calls / 10, structure);
        int threads = Thread.activeCount();
        long files = files();
        long resident = resident();
        MeasuredSize grown = MemoryAssertions.increasedMemory(() -> {
            run(calls, structure);
            return null;
        }, SizeFilter.none());
        System.out.println("threads " + (Thread.activeCount() - threads));
        System.out.println("files " + (files() - files));
        System.out.println("resident KB " + (resident() - resident));
        System.out.println("heap bytes " + grown.total());
        System.out.println("scratch " + scratch());
    }

    private static void run(int calls, List<Object> structure) throws Exception {
        for (int call = 0; call < calls; call++) {
            assertCount("structure", 10, structure);
            if (call % 100 == 0) {
                assertGC("gone", new WeakReference<>(new Object[1]));
                MemoryAssertions.paths(structure, 1);
                measure(List.of(structure), SizeFilter.strongOnly());
            }
        }
    }

    private static long files() {
        return new File("/proc/self/fd").list().length;
    }

    private static long resident() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return 0;
    }

    /** Files in the library's own folder: the analyzer, and no recording. */
    private static List<String> scratch() {
        List<String> names = new ArrayList<>();
        for (File folder : new File(System.getProperty("java.io.tmpdir")).listFiles()) {
            if (folder.getName().startsWith("rootbound-")) {
                names.addAll(List.of(folder.list()));
            }
        }
        return names;
    }
}
