package rootbound.junit;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Objects;

/** Rounds of collections until some references are cleared. No memory is exhausted to clear soft references. */
final class Rounds {
    private static final long POLL_MILLIS = 100;
    private static final long NAP_MILLIS = 5;

    private final int most = Settings.rounds();
    private final long deadline = System.nanoTime() + Settings.timeout().toNanos();
    private int made;

    /** Collects until all are cleared, or the rounds are over; whether all are. */
    boolean collect(List<? extends Reference<?>> references) {
        if (areCleared(references)) {
            return true;
        }
        while (made < most && (made == 0 || System.nanoTime() < deadline)) {
            if (once(references)) {
                return true;
            }
        }
        return false;
    }

    /** Two rounds more: a concurrent collector may have been behind. */
    boolean collectOnceMore(List<? extends Reference<?>> references) {
        return once(references) || once(references);
    }

    /** Whether so many rounds were needed that a slower machine would need more than there are. */
    boolean wereMany() {
        return made * 3 > most * 2;
    }

    int made() {
        return made;
    }

    private boolean once(List<? extends Reference<?>> references) {
        made++;
        Natives.collect();
        if (areCleared(references)) {
            return true;
        }
        finalizeObjects();
        long end = System.nanoTime() + POLL_MILLIS * 1_000_000;
        do {
            nap();
            if (areCleared(references)) {
                return true;
            }
        } while (System.nanoTime() < end);
        return false;
    }

    static boolean areCleared(List<? extends Reference<?>> references) {
        for (Reference<?> reference : references) {
            if (isThere(reference)) {
                return false;
            }
        }
        return true;
    }

    /** A frame of its own, so that no local variable keeps the object. */
    static boolean isThere(Reference<?> reference) {
        return reference.get() != null;
    }

    /** Rejects a reference that never returns its object. */
    static void check(Reference<?> reference) {
        Objects.requireNonNull(reference, "reference");
        if (reference instanceof PhantomReference) {
            throw new IllegalArgumentException("a PhantomReference never returns its object: use a WeakReference");
        }
    }

    /** Deprecated for removal: a later JDK may not have it. */
    private static void finalizeObjects() {
        try {
            System.class.getMethod("runFinalization").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException error) {
            // Then no object has a finalizer that runs.
        }
    }

    private static void nap() {
        try {
            Thread.sleep(NAP_MILLIS);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the test was interrupted while it waited for a collection", error);
        }
    }
}
