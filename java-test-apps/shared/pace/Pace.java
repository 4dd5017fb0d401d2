// What every test app beats time with: how many steps are due by now, so that a rate is true over any stretch of time.
// It keeps no object of the app, so that it never stands between a GC root and what an app leaks.
package pace;

/** A clock that starts with the app and ends after {@code -Drun.seconds}. */
public final class Pace {
    /** A short sleep: steps come smoothly, and the app still costs next to nothing. */
    private static final long PAUSE_MILLIS = 10;

    private final long start = System.nanoTime();
    private final double runSeconds = Double.parseDouble(System.getProperty("run.seconds", "120"));

    /** Seconds since the app's start. */
    public double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Whether the app goes on. */
    public boolean running() {
        return seconds() < runSeconds;
    }

    /** Steps due by now at a rate. A caller that slept too long finds more of them due, so no step is ever lost. */
    public long due(double perSecond) {
        return (long) (seconds() * perSecond);
    }

    /** Steps due by now at a rate that ends after some seconds. */
    public long dueUntil(double perSecond, double untilSeconds) {
        return (long) (Math.min(seconds(), untilSeconds) * perSecond);
    }

    /** Waits for the next steps. */
    public void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("nobody interrupts a test app", interrupted);
        }
    }
}
