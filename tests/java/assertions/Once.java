import static rootbound.junit.MemoryAssertions.assertGC;
import static rootbound.junit.MemoryAssertions.assertSize;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/** One assertion of each kind. The argument is the time in milliseconds before them. */
public final class Once {
    static final Map<String, Object> KEPT = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            Thread.sleep(Long.parseLong(arguments[0]));
        }
        Said.says("size", () -> assertSize("ints", 1, new int[2]));
        Said.says("gc", () -> {
            KEPT.put("x", new Object[3]);
            assertGC("kept", new WeakReference<>(KEPT.get("x")));
        });
    }
}
