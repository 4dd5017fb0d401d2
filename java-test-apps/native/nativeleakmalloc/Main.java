// What a leaking native library does: memory that is allocated outside of everything the JVM counts, and never freed.
package nativeleakmalloc;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import pace.Pace;

/** Allocates a megabyte a second by hand, writes it full, and forgets it. */
public final class Main {
    private static final long BLOCK_BYTES = 128 * 1024;

    private final Object unsafe;
    private final Method allocate;
    private final Method fill;

    private Main() throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field only = type.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        unsafe = only.get(null);
        allocate = type.getMethod("allocateMemory", long.class);
        fill = type.getMethod("setMemory", long.class, long.class, byte.class);
    }

    private void forgetBlock() throws ReflectiveOperationException {
        Object address = allocate.invoke(unsafe, BLOCK_BYTES);
        fill.invoke(unsafe, address, BLOCK_BYTES, (byte) 1);
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        Main library = new Main();
        Pace pace = new Pace();
        long blocks = 0;
        while (pace.running()) {
            for (; blocks < pace.due(8); blocks++) {
                library.forgetBlock();
            }
            pace.pause();
        }
        System.out.printf("nativeleakmalloc: %d blocks%n", blocks);
    }
}
