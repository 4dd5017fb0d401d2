package rootbound.junit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where the agent library and the analyzer are: in the folder that {@code rootbound.home} names, or else in the jar.
 * What is in the jar is unpacked into a folder of its own that only this user can read, which goes when the JVM ends.
 */
final class Home {
    static final String LIBRARY = "librootbound_agent.so";
    static final String ANALYZER = "rootbound";

    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static Path unpacked;

    private Home() {
    }

    /** The reason why this platform has no binaries, or null. */
    static String obstacle() {
        String os = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "");
        if (os.equals("Linux") && (processor.equals("amd64") || processor.equals("x86_64"))) {
            return null;
        }
        return "memory assertions work on Linux x86-64 only, and this is " + os + " " + processor;
    }

    /**
     * One of the two binaries.
     *
     * @throws IOException if it is nowhere, or cannot be unpacked
     */
    static synchronized Path binary(String name) throws IOException {
        String home = System.getProperty("rootbound.home");
        if (home != null) {
            Path path = Path.of(home, name).toAbsolutePath();
            if (!Files.isReadable(path)) {
                throw new IOException("rootbound.home names a folder without " + name + ": " + home);
            }
            return path;
        }
        Path path = folder().resolve(name);
        if (!Files.exists(path)) {
            unpack(name, path);
        }
        return path;
    }

    /** A path in the private folder. */
    static synchronized Path path(String name) throws IOException {
        return folder().resolve(name);
    }

    /** A new path in the private folder; nothing is there yet. */
    static synchronized Path scratch(String name) throws IOException {
        Path path = path(name);
        Files.deleteIfExists(path);
        return path;
    }

    /** A copy of the library under a name of its own, which a JVM takes for another library. */
    static synchronized Path copyOf(Path library) throws IOException {
        Path copy = folder().resolve("copy-of-" + LIBRARY);
        Files.deleteIfExists(copy);
        Files.copy(library, copy);
        return copy;
    }

    private static Path folder() throws IOException {
        if (unpacked == null || !Files.isDirectory(unpacked)) {
            Path folder = Files.createTempDirectory("rootbound-", PosixFilePermissions.asFileAttribute(PRIVATE));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "rootbound-clean-up"));
            unpacked = folder;
        }
        return unpacked;
    }

    private static void unpack(String name, Path target) throws IOException {
        try (InputStream packed = Home.class.getResourceAsStream("linux-x86_64/" + name)) {
            if (packed == null) {
                throw new IOException("the jar has no " + name + " for Linux x86-64, and rootbound.home is not set");
            }
            Path part = Files.createTempFile(target.getParent(), name, ".part");
            Files.copy(packed, part, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(part, PRIVATE);
            Files.move(part, target, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void delete(Path folder) {
        File[] files = folder.toFile().listFiles();
        if (files != null) {
            for (File file : files) {
                file.delete();
            }
        }
        folder.toFile().delete();
    }
}
