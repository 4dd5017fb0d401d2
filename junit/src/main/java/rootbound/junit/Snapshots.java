package rootbound.junit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The two snapshots of a JVM that {@code rootbound run}, {@code watch} or {@code attach} watches, at moments that the
 * program chooses: warm up, mark, carry out one more operation, capture. What the operation left behind is new in the
 * report. Both calls return when the snapshot is made.
 *
 * <pre>{@code
 * shop.checkout(order());      // warm up
 * Snapshots.mark();
 * shop.checkout(order());
 * Snapshots.capture();
 * }</pre>
 *
 * The request passes through the program {@code rootbound}: in the folder that the property {@code rootbound.home}
 * names, or else in the jar. It runs as the user of this JVM, and the analyzer must be that user's, too.
 */
public final class Snapshots {
    /** The analyzer answers within five minutes. */
    private static final long LONGEST_MINUTES = 6;
    private static final int MOST_BYTES = 16 * 1024;

    private Snapshots() {
    }

    /**
     * Takes the first snapshot now: objects that exist are old from here on. It replaces an earlier one.
     *
     * @return what it cost, for people to read
     * @throws IllegalStateException if nobody watches this JVM, or the snapshot is refused or fails; with the reason
     */
    public static String mark() {
        return request("mark");
    }

    /**
     * Takes the second snapshot now: what is reachable and new is ranked, and growing structures are followed.
     *
     * @return what it cost, for people to read
     * @throws IllegalStateException if nothing is marked, nobody watches this JVM, or the snapshot is refused or fails;
     *     with the reason
     */
    public static String capture() {
        return request("capture");
    }

    private static synchronized String request(String verb) {
        String pid = Long.toString(ProcessHandle.current().pid());
        Process process;
        try {
            String program = Home.binary(Home.ANALYZER).toString();
            process = new ProcessBuilder(program, verb, pid).redirectErrorStream(true).start();
        } catch (IOException error) {
            throw new IllegalStateException("no " + verb + ": " + error.getMessage(), error);
        }
        try {
            process.getOutputStream().close();
            // A program that does not end is ended by the reader's deadline, which closes the stream.
            Thread deadline = new Thread(() -> endLater(process), "rootbound-deadline");
            deadline.setDaemon(true);
            deadline.start();
            String text = text(process.getInputStream()).trim();
            int status = process.waitFor();
            deadline.interrupt();
            if (status != 0) {
                throw new IllegalStateException("no " + verb + ": " + text.replaceFirst("^ERROR ", ""));
            }
            return text;
        } catch (IOException error) {
            throw new IllegalStateException("no " + verb + ": " + error.getMessage(), error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("no " + verb + ": the thread was interrupted", error);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void endLater(Process process) {
        try {
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException answered) {
            // The program has ended.
        }
    }

    private static String text(InputStream in) throws IOException {
        String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        // What is too long must not block the program.
        in.skip(Long.MAX_VALUE);
        return text;
    }
}
