package rootbound.junit;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** {@code memoryTest}: notes weak references while the test runs, and checks all of them in one set of rounds. */
final class MemoryTest implements Checker {
    /** What tests keep. A static field, so that what it holds is held for the capture, too. */
    private static final List<List<Object>> KEPT = new ArrayList<>();

    private final List<WeakReference<Object>> collectable = new ArrayList<>();
    private final List<WeakReference<Object>> lasting = new ArrayList<>();
    private final List<String> lastingNames = new ArrayList<>();
    private final List<Object> kept = new ArrayList<>();

    private MemoryTest() {
    }

    static void run(Consumer<Checker> test) {
        MemoryTest checks = new MemoryTest();
        synchronized (KEPT) {
            KEPT.add(checks.kept);
        }
        try {
            test.accept(checks);
            checks.check();
        } finally {
            synchronized (KEPT) {
                KEPT.removeIf(list -> list == checks.kept);
            }
        }
    }

    @Override
    public void assertCollectable(Object object) {
        collectable.add(new WeakReference<>(Objects.requireNonNull(object, "object")));
    }

    @Override
    public void assertNotCollectable(Object object) {
        lasting.add(new WeakReference<>(Objects.requireNonNull(object, "object")));
        lastingNames.add(object.getClass().getTypeName());
    }

    @Override
    public void keep(Object object) {
        kept.add(Objects.requireNonNull(object, "object"));
    }

    private void check() {
        Rounds rounds = new Rounds();
        boolean areGone = rounds.collect(collectable);
        if (!lasting.isEmpty()) {
            Natives.collect();
            Natives.collect();
        }
        List<String> failures = new ArrayList<>();
        for (int at = 0; at < lasting.size(); at++) {
            if (!Rounds.isThere(lasting.get(at))) {
                failures.add("assertNotCollectable(" + lastingNames.get(at) + "): it was collected");
            }
        }
        String recording = areGone ? "" : addKept(failures, rounds);
        if (!failures.isEmpty()) {
            throw new AssertionError(String.join("\n\n", failures) + recording);
        }
        if (areGone && rounds.wereMany()) {
            System.err.println("rootbound: " + rounds.made() + " of " + Settings.rounds()
                    + " rounds were needed until all objects were collected; -Drootbound.gc.rounds allows more");
        }
    }

    /** Adds a failure for each object that is still there, and should not be. */
    private String addKept(List<String> failures, Rounds rounds) {
        List<WeakReference<Object>> there = new ArrayList<>();
        collectable.stream().filter(Rounds::isThere).forEach(there::add);
        Object[] marked = marked(there);
        List<String> names = new ArrayList<>();
        for (int at = 0; at < there.size(); at++) {
            names.add(marked[at].getClass().getTypeName());
        }
        try (HeapCapture heap = HeapCapture.of(marked)) {
            for (int at = 0; at < there.size(); at++) {
                String failure = Collectability.failure(heap, at + 1,
                        mark -> mark > there.size() ? "kept[" + (mark - there.size() - 1) + "]" : null, rounds,
                        List.of(there.get(at)));
                if (failure != null) {
                    failures.add("assertCollectable(" + names.get(at) + "):" + failure);
                }
            }
            return heap.whereKept();
        }
    }

    /** The objects that are there, then the kept ones. One that went meanwhile is a new object that nothing keeps. */
    private Object[] marked(List<WeakReference<Object>> there) {
        Object[] marked = new Object[there.size() + kept.size()];
        for (int at = 0; at < there.size(); at++) {
            Object object = there.get(at).get();
            marked[at] = object == null ? new Object() : object;
        }
        for (int at = 0; at < kept.size(); at++) {
            marked[there.size() + at] = kept.get(at);
        }
        return marked;
    }
}
