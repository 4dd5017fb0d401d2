package rootbound.junit;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import rootbound.junit.HeapCapture.Follow;

/** {@code assertGC}: whether an object can be collected, and what keeps it if not. */
final class Collectability {
    /** The mark of the object; those of the hints follow. */
    private static final int OBJECT = 1;

    private Collectability() {
    }

    static void assertGC(String text, Reference<?> reference, Set<?> rootsHint) {
        Rounds.check(reference);
        Object[] hints = withoutNull(rootsHint);
        Rounds rounds = new Rounds();
        List<Reference<?>> one = List.of(reference);
        if (rounds.collect(one)) {
            return;
        }
        Object[] marked = marked(reference, hints);
        if (marked == null) {
            return;
        }
        try (HeapCapture heap = HeapCapture.of(marked)) {
            String failure = failure(heap, OBJECT, mark -> hintName(mark), rounds, one);
            if (failure != null) {
                throw new AssertionError(text + ":" + failure + heap.whereKept());
            }
        }
    }

    private static String hintName(int mark) {
        return mark > OBJECT ? "rootsHint[" + (mark - OBJECT - 1) + "]" : null;
    }

    static void assertNotCollectable(String text, Reference<?> reference) {
        Rounds.check(reference);
        boolean wasThere = Rounds.isThere(reference);
        Natives.collect();
        Natives.collect();
        if (!Rounds.isThere(reference)) {
            throw new AssertionError(text + ": " + (wasThere ? "it was collected" : "it was collected before the call"));
        }
    }

    static List<String> paths(Object[] target, int count) {
        try (HeapCapture heap = HeapCapture.of(target)) {
            List<String> lines = new ArrayList<>();
            for (List<String> path : heap.paths(OBJECT, Follow.NONE, count)) {
                if (!lines.isEmpty()) {
                    lines.add("");
                }
                lines.addAll(LeakTrace.lines(path, mark -> null));
            }
            return lines;
        }
    }

    /** Why the object with this mark is still there, with its paths; null if it may be, or is gone now. */
    static String failure(HeapCapture heap, int mark, LeakTrace.Names names, Rounds rounds,
            List<? extends Reference<?>> reference) {
        List<List<String>> paths = heap.paths(mark, Follow.NONE, Settings.paths());
        if (!paths.isEmpty()) {
            return LeakTrace.text(paths, names);
        }
        paths = heap.paths(mark, Follow.SOFT, Settings.paths());
        if (!paths.isEmpty()) {
            String soft = " only softly reachable" + LeakTrace.text(paths, names);
            if (Settings.failsOnSoft()) {
                return soft;
            }
            System.err.println("rootbound: an object that should be collected is" + soft);
            return null;
        }
        if (rounds.collectOnceMore(reference)) {
            return null;
        }
        paths = heap.paths(mark, Follow.FINAL, Settings.paths());
        if (!paths.isEmpty()) {
            return " waits to be finalized" + LeakTrace.text(paths, names);
        }
        return " still there after " + rounds.made() + " collections, and no path to it was found (collector: "
                + Natives.collector() + ")";
    }

    /** The object, then the hints; null if the object is gone. No local variable holds the object afterwards. */
    private static Object[] marked(Reference<?> reference, Object[] hints) {
        Object[] marked = new Object[hints.length + 1];
        System.arraycopy(hints, 0, marked, 1, hints.length);
        marked[0] = reference.get();
        return marked[0] == null ? null : marked;
    }

    private static Object[] withoutNull(Set<?> hints) {
        return Arrays.stream(hints.toArray()).filter(Objects::nonNull).toArray();
    }
}
