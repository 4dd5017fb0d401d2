package rootbound.junit;

import java.time.Duration;

/** The system properties of this library. They are read at each call. */
final class Settings {
    private static boolean hasSaidMissing;

    private Settings() {
    }

    /** Collections before an object counts as not collectable. */
    static int rounds() {
        return (int) number("rootbound.gc.rounds", 6, 1, 1000);
    }

    /** Longest time for these collections; in the property in seconds. */
    static Duration timeout() {
        return Duration.ofSeconds(number("rootbound.gc.timeout", 10, 1, 86_400));
    }

    /** Paths in a failure. {@code assertgc.paths} is NbTestCase's name for it. */
    static int paths() {
        return (int) number("rootbound.paths", number("assertgc.paths", 1, 1, 1000), 1, 1000);
    }

    /** Whether an object that only soft references keep is a failure. */
    static boolean failsOnSoft() {
        return "fail".equals(System.getProperty("rootbound.soft"));
    }

    /** The folder in which recordings are kept, or null. */
    static String keep() {
        return System.getProperty("rootbound.keep");
    }

    /**
     * Whether assertions are passed over, because nothing can be measured here and the user wants that.
     *
     * @throws UnsupportedOperationException if nothing can be measured, and the user did not ask to pass over it
     */
    static synchronized boolean passesOver() {
        String missing = Natives.missing();
        if (missing == null) {
            return false;
        }
        if (!"skip".equals(System.getProperty("rootbound.missing"))) {
            throw new UnsupportedOperationException(missing + " (-Drootbound.missing=skip passes over the assertions)");
        }
        if (!hasSaidMissing) {
            hasSaidMissing = true;
            System.err.println("rootbound: memory assertions are passed over: " + missing);
        }
        return true;
    }

    private static long number(String property, long otherwise, long least, long most) {
        String text = System.getProperty(property);
        if (text == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text.trim());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException error) {
            // Reported below, with the name of the property.
        }
        throw new IllegalArgumentException(property + " is a number from " + least + " to " + most + ", not " + text);
    }
}
