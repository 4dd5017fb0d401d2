package rootbound.junit;

import java.util.concurrent.Callable;

/** A test that is repeated or measured on behalf of an annotation; for extensions of test frameworks. */
public final class Repeated {
    private Repeated() {
    }

    /** One run of a test. */
    @FunctionalInterface
    public interface Run {
        /** Runs it. */
        void run() throws Throwable;
    }

    /**
     * Runs a test as a scenario, and fails if any data structure grows in every round.
     *
     * @param test what holds the objects of the test
     */
    public static void withoutGrowth(Object test, GrowthOptions options, Run run) throws Throwable {
        Scenario.check(test, callable(run), options);
    }

    /** Runs a test once, and fails if it leaves more bytes behind than the annotation allows. */
    public static void within(MemoryLimit limit, Run run) throws Throwable {
        long left = Scenario.bytesLeft(callable(run));
        if (left > limit.value()) {
            throw new AssertionError("the test leaves " + left + " bytes of new objects behind, over the limit of "
                    + limit.value() + " bytes");
        }
    }

    private static Callable<?> callable(Run run) {
        return () -> {
            try {
                run.run();
            } catch (Exception | Error error) {
                throw error;
            } catch (Throwable error) {
                throw new IllegalStateException(error);
            }
            return null;
        };
    }
}
