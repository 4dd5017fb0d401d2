package rootbound.junit;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The natives, which are in the agent library. The library is loaded when this class is: from the jar, from
 * {@code rootbound.home}, or it is there already by {@code -agentpath}. One call runs at a time.
 */
final class Natives {
    /** The reason why nothing can be called, or null. */
    private static final String MISSING = load();
    /** Held during each call: a second test waits. */
    private static final Object ONE_AT_A_TIME = new Object();

    private Natives() {
    }

    /** The reason why nothing can be measured in this JVM, or null. */
    static String missing() {
        return MISSING;
    }

    /** Collects all garbage, whatever the JVM's options say of {@code System.gc}. */
    static void collect() {
        check();
        synchronized (ONE_AT_A_TIME) {
            collect0();
        }
    }

    /**
     * Captures the whole heap to a recording that only this user can read. The calling thread waits; the program is
     * paused meanwhile. The marked objects bear the marks 1, 2, 3, … there. The array holds nothing afterwards, and
     * neither it nor a local variable of this library is a root of the recording.
     *
     * @param file the recording; what is there is replaced
     * @param marked objects without null, or null for none
     * @throws IllegalStateException if the heap cannot be captured or the file not be written; no file is left then
     */
    static void capture(String file, Object[] marked) {
        check();
        byte[] name = file.getBytes(fileNames());
        synchronized (ONE_AT_A_TIME) {
            capture0(name, marked);
        }
    }

    /** See {@link MeasuredSize}; the names of fields end with a zero each. */
    static Object[] measure(Object[] roots, Object[] skip, Class<?>[] skipClasses, Class<?>[] fieldClasses,
            String[] fieldNames, boolean objects) {
        check();
        byte[] names = (String.join("\0", fieldNames) + "\0").getBytes(StandardCharsets.UTF_8);
        synchronized (ONE_AT_A_TIME) {
            return measure0(roots, skip, skipClasses, fieldClasses, names, objects);
        }
    }

    /** The name of the JVM's collector. */
    static String collector() {
        check();
        return collector0();
    }

    private static native void collect0();

    private static native void capture0(byte[] file, Object[] marked);

    private static native Object[] measure0(Object[] roots, Object[] skip, Class<?>[] skipClasses,
            Class<?>[] fieldClasses, byte[] fieldNames, boolean objects);

    private static native String collector0();

    private static void check() {
        if (MISSING != null) {
            throw new UnsupportedOperationException(MISSING);
        }
    }

    /** The charset of file names, which need not be that of texts. */
    private static Charset fileNames() {
        String name = System.getProperty("sun.jnu.encoding");
        return name != null && Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }

    private static String load() {
        String obstacle = Home.obstacle();
        if (obstacle != null) {
            return obstacle;
        }
        if (isLinked()) {
            return null;
        }
        try {
            Path library = Home.binary(Home.LIBRARY);
            try {
                System.load(library.toString());
            } catch (UnsatisfiedLinkError error) {
                loadCopy(library, error);
            }
            forget(library);
        } catch (IOException | SecurityException | UnsatisfiedLinkError error) {
            return "the agent library cannot be loaded: " + error.getMessage()
                    + ". Name a folder with both binaries by -Drootbound.home, put this jar on a class path that all"
                    + " tests share, or start the JVM with -agentpath";
        }
        return isLinked() ? null : "the agent library is of another version than this jar";
    }

    /** Whether the natives are there: with {@code -agentpath} the JVM finds them without a load. */
    private static boolean isLinked() {
        try {
            collector0();
            return true;
        } catch (UnsatisfiedLinkError error) {
            return false;
        }
    }

    /** Another class loader has loaded this file, and a JVM loads no file twice: so a copy is loaded. */
    private static void loadCopy(Path library, UnsatisfiedLinkError error) throws IOException {
        String text = String.valueOf(error.getMessage());
        if (!text.contains("already loaded")) {
            throw error;
        }
        Path copy = Home.copyOf(library);
        System.load(copy.toString());
        Files.deleteIfExists(copy);
    }

    /** An unpacked library is not needed once it is loaded. */
    private static void forget(Path library) throws IOException {
        if (System.getProperty("rootbound.home") == null) {
            Files.deleteIfExists(library);
        }
    }
}
