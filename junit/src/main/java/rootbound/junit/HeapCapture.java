package rootbound.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** One capture of the heap, and the paths in it from GC roots to the marked objects. The file goes when it is closed. */
final class HeapCapture implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Which references of {@code java.lang.ref} keep what they refer to. */
    enum Follow {
        NONE, SOFT, FINAL
    }

    private final Path file;
    private final boolean isKept;
    /** Of the thread that captured. */
    private final StackTraceElement[] stack = new Throwable().getStackTrace();

    private HeapCapture(Path file, boolean isKept) {
        this.file = file;
        this.isKept = isKept;
    }

    /** Captures; the array is empty afterwards. */
    static HeapCapture of(Object[] marked) {
        try {
            String name = "heap-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet() + ".rootbound";
            String kept = Settings.keep();
            Path file = kept == null ? Home.scratch(name) : Files.createDirectories(Path.of(kept)).resolve(name);
            Natives.capture(file.toString(), marked);
            return new HeapCapture(file, kept != null);
        } catch (IOException error) {
            throw new IllegalStateException("there is no file for a capture: " + error.getMessage(), error);
        }
    }

    /**
     * The shortest paths to the object with this mark, each a list of lines from the root on; none if nothing keeps it.
     * A last list of one line may say how many more there are.
     */
    List<List<String>> paths(int mark, Follow follow, int count) {
        String text = Analyzer.run(List.of("paths", file.toString(), "--to", "mark:" + mark, "--lines", "--paths",
                String.valueOf(count), "--follow", follow.name().toLowerCase(java.util.Locale.ROOT)));
        List<List<String>> paths = new ArrayList<>();
        for (String path : text.split("\n\n")) {
            if (!path.isBlank()) {
                List<String> lines = new ArrayList<>(Arrays.asList(path.strip().split("\n")));
                lines.set(0, PlacedRoot.of(lines.get(0), stack));
                paths.add(lines);
            }
        }
        return paths;
    }

    /** A sentence about the recording where it is kept; empty otherwise. */
    String whereKept() {
        return isKept ? "\nrecording: " + file : "";
    }

    @Override
    public void close() {
        if (!isKept) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException error) {
                // The folder goes with the JVM, and the file with it.
            }
        }
    }
}
