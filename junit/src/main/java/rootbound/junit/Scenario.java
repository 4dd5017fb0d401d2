package rootbound.junit;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Repeats a scenario, captures the heap after each round, and asks the analyzer what grew in every one. One search runs
 * at a time in a JVM; a second test waits. Of its own it keeps nothing from round to round.
 */
public final class Scenario {
    private static final long FINALIZERS_MILLIS = 500;
    private static final long REFERENCES_MILLIS = 10;

    /** What the scenario uses. The recording has no local variables of this library, so it is held here. */
    private static Object running;

    private Scenario() {
    }

    /**
     * Searches for growth; for extensions of test frameworks.
     *
     * @param used what the scenario uses and what is nowhere else, such as the instance of the test
     * @param run one run of the scenario
     * @param options how it is repeated
     * @throws Exception what the scenario throws
     */
    public static synchronized Growth find(Object used, Callable<?> run, GrowthOptions options) throws Exception {
        if (running != null) {
            throw new IllegalStateException("a scenario cannot search for growth itself");
        }
        String missing = Natives.missing();
        if (missing != null) {
            if (!"skip".equals(System.getProperty("rootbound.missing"))) {
                throw new UnsupportedOperationException(missing);
            }
            run.call();
            return Growth.unknown(missing);
        }
        running = used;
        try {
            return search(run, options);
        } finally {
            running = null;
        }
    }

    /** The same, as an assertion. */
    public static Growth check(Object used, Callable<?> run, GrowthOptions options) throws Exception {
        return failing(find(used, run, options));
    }

    static Growth failing(Growth growth) {
        if (!growth.isEmpty()) {
            throw new AssertionError(growth.toString());
        }
        return growth;
    }

    /** The same; an exception of the scenario is thrown as it is, whether checked or not. */
    static Growth unchecked(Object used, Callable<?> run, GrowthOptions options) {
        try {
            return find(used, run, options);
        } catch (Exception error) {
            throw Scenario.<RuntimeException>asIs(error);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> E asIs(Exception error) throws E {
        throw (E) error;
    }

    /** Bytes of the objects that GC roots reach after a run, beyond those before it. */
    static synchronized long bytesLeft(Callable<?> run) throws Exception {
        long before = reachable();
        run.call();
        return Math.max(0, reachable() - before);
    }

    private static long reachable() throws InterruptedException {
        collect();
        Object[] sizes = Natives.measure(null, new Object[0], new Class<?>[0], new Class<?>[0], new String[0], false);
        long bytes = 0;
        for (long each : (long[]) sizes[2]) {
            bytes += each;
        }
        return bytes;
    }

    private static Growth search(Callable<?> run, GrowthOptions options) throws Exception {
        if (options.keep() != null) {
            Files.createDirectories(options.keep());
        }
        Analyzer.check(options.described());
        try {
            repeat(run, options.warmUps());
            capture(options, 0);
            Growth growth = null;
            for (int round = 1; round <= options.rounds() && (growth == null || !growth.isEmpty()); round++) {
                repeat(run, options.repeats());
                capture(options, round);
                growth = compare(options, round);
            }
            return growth;
        } finally {
            if (options.keep() == null) {
                for (int round = 0; round <= options.rounds(); round++) {
                    Files.deleteIfExists(file(options, round));
                }
            }
        }
    }

    private static void repeat(Callable<?> run, int times) throws Exception {
        for (int time = 0; time < times; time++) {
            run.call();
        }
    }

    private static void collect() throws InterruptedException {
        Natives.collect();
        runFinalizers();
        // Cleared references are enqueued by a thread of the JVM.
        Thread.sleep(REFERENCES_MILLIS);
        Natives.collect();
    }

    private static void capture(GrowthOptions options, int round) throws IOException, InterruptedException {
        collect();
        Path file = file(options, round);
        Files.deleteIfExists(file);
        Natives.capture(file.toString(), null);
    }

    private static Growth compare(GrowthOptions options, int rounds) throws IOException {
        Path json = Home.scratch("growth.json");
        try {
            List<String> arguments = new ArrayList<>(List.of("rounds"));
            for (int round = 0; round <= rounds; round++) {
                arguments.add(file(options, round).toString());
            }
            arguments.addAll(options.arguments());
            arguments.add("--json=" + json);
            String text = Analyzer.run(arguments);
            return new Growth(rounds, text.stripTrailing(), Files.readString(json));
        } finally {
            Files.deleteIfExists(json);
        }
    }

    private static Path file(GrowthOptions options, int round) throws IOException {
        String name = "round-" + round + ".rootbound";
        return options.keep() != null ? options.keep().toAbsolutePath().resolve(name) : Home.path(name);
    }

    /** Finalizers run on a thread of their own and may hang; so they have a limit. Some JVMs have none any more. */
    private static void runFinalizers() throws InterruptedException {
        Thread thread = new Thread(Scenario::callFinalizers, "rootbound-finalizers");
        thread.setDaemon(true);
        thread.start();
        thread.join(FINALIZERS_MILLIS);
    }

    private static void callFinalizers() {
        try {
            Method method = Runtime.class.getMethod("runFinalization");
            method.invoke(Runtime.getRuntime());
        } catch (ReflectiveOperationException error) {
            // This JVM has no finalizers.
        }
    }
}
