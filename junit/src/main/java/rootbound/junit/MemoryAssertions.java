package rootbound.junit;

import java.lang.ref.Reference;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Assertions about memory, for tests with any framework or none. They throw {@link AssertionError}.
 *
 * <p>Where nothing can be measured (another platform than Linux x86-64, another JVM than HotSpot) they throw
 * {@link UnsupportedOperationException}; with {@code -Drootbound.missing=skip} they pass. One measurement runs at a
 * time; the program is paused while the heap is read.
 */
public final class MemoryAssertions {
    private MemoryAssertions() {
    }

    /**
     * Fails if the structure that begins at the root is larger than the limit. With the limit 0 the failure shows its
     * size; {@link #measure} does so without a failure.
     *
     * @param limit bytes, as the running JVM counts them
     */
    public static void assertSize(String message, int limit, Object root) {
        assertSize(message, Collections.singletonList(root), limit);
    }

    /** Fails if the structure that begins at these roots is larger than the limit. The collection is no root itself. */
    public static void assertSize(String message, Collection<?> roots, int limit) {
        assertSize(message, roots, limit, SizeFilter.none());
    }

    /** The same, without these objects and what only they lead to. */
    public static void assertSize(String message, Collection<?> roots, int limit, Object[] skip) {
        assertSize(message, roots, limit, SizeFilter.skip(skip));
    }

    /**
     * The same, without what the filter leaves out.
     *
     * @return the size in bytes
     */
    public static long assertSize(String message, Collection<?> roots, long limit, SizeFilter filter) {
        return Structures.assertSize(message, roots, limit, filter);
    }

    /** Fails if the structure that begins at the root has more objects than the limit. It is the same in every JVM. */
    public static void assertCount(String message, int limit, Object root) {
        assertCount(message, Collections.singletonList(root), limit);
    }

    /** Fails if the structure that begins at these roots has more objects than the limit. */
    public static void assertCount(String message, Collection<?> roots, int limit) {
        assertCount(message, roots, limit, SizeFilter.none());
    }

    /** The same, without these objects and what only they lead to. */
    public static void assertCount(String message, Collection<?> roots, int limit, Object[] skip) {
        assertCount(message, roots, limit, SizeFilter.skip(skip));
    }

    /**
     * The same, without what the filter leaves out.
     *
     * @return the number of objects
     */
    public static long assertCount(String message, Collection<?> roots, long limit, SizeFilter filter) {
        return Structures.assertCount(message, roots, limit, filter);
    }

    /** Measures the structure that begins at these roots. */
    public static MeasuredSize measure(Collection<?> roots, SizeFilter filter) {
        return filter.measure(Structures.array(roots));
    }

    /**
     * Runs the action, and measures by class what the reachable heap has more of afterwards. Classes that the action
     * makes the JVM load, and work of other threads, are part of it: run the action once before.
     */
    public static MeasuredSize increasedMemory(Callable<?> action, SizeFilter filter) throws Exception {
        return Structures.increased(action, filter);
    }

    /**
     * Fails if the object of this reference cannot be collected, with the shortest path from a GC root to it.
     *
     * @param reference a weak or soft reference; nothing else of the test may hold its object
     */
    public static void assertGC(String text, Reference<?> reference) {
        assertGC(text, reference, Set.of());
    }

    /**
     * The same; a path that passes one of these objects begins there.
     *
     * @param rootsHint objects that the reader knows
     */
    public static void assertGC(String text, Reference<?> reference, Set<?> rootsHint) {
        if (!Settings.passesOver()) {
            Collectability.assertGC(text, reference, rootsHint);
        }
    }

    /** Fails if two collections take the object of this reference: something shall keep it. */
    public static void assertNotCollectable(String text, Reference<?> reference) {
        if (!Settings.passesOver()) {
            Collectability.assertNotCollectable(text, reference);
        }
    }

    /**
     * Runs the test, and checks afterwards what it noted. Its local variables are gone then, so that they keep nothing.
     */
    public static void memoryTest(Consumer<Checker> test) {
        if (!Settings.passesOver()) {
            MemoryTest.run(test);
        }
    }

    /**
     * The shortest paths by which GC roots hold an object now, as lines: root first, one reference a line, an empty
     * line between two paths. No line if nothing but this call holds it.
     *
     * @param count most paths
     */
    public static List<String> paths(Object target, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("at least one path is to be found, not " + count);
        }
        return Collectability.paths(new Object[] {Objects.requireNonNull(target, "target")}, count);
    }

    /**
     * Fails if any data structure grows in every round of a scenario. What the scenario throws ends the search and is
     * thrown on as it is.
     *
     * @param scenario a round trip: what it creates is gone at its end
     * @param repeats runs in each round; more of them tell slow growth from chance
     */
    public static Growth assertNoGrowth(Runnable scenario, int repeats) {
        return assertNoGrowth(scenario, GrowthOptions.defaults().repeats(repeats));
    }

    /** The same for a scenario with checked exceptions. */
    public static Growth assertNoGrowth(Callable<?> scenario, int repeats) {
        return assertNoGrowth(scenario, GrowthOptions.defaults().repeats(repeats));
    }

    /** The same with options. */
    public static Growth assertNoGrowth(Runnable scenario, GrowthOptions options) {
        return Scenario.failing(findGrowth(scenario, options));
    }

    /** The same with options, for a scenario with checked exceptions. */
    public static Growth assertNoGrowth(Callable<?> scenario, GrowthOptions options) {
        return Scenario.failing(findGrowth(scenario, options));
    }

    /** Finds what grows in every round of a scenario, and asserts nothing. */
    public static Growth findGrowth(Runnable scenario, GrowthOptions options) {
        return Scenario.unchecked(scenario, () -> {
            scenario.run();
            return null;
        }, options);
    }

    /** The same for a scenario with checked exceptions. */
    public static Growth findGrowth(Callable<?> scenario, GrowthOptions options) {
        return Scenario.unchecked(scenario, scenario, options);
    }
}
