package rootbound.junit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code assertSize} and its kin. */
final class Structures {
    private Structures() {
    }

    static long assertSize(String message, Collection<?> roots, long limit, SizeFilter filter) {
        if (Settings.passesOver()) {
            return 0;
        }
        Object[] array = array(roots);
        MeasuredSize size = filter.measure(array);
        if (size.total() > limit) {
            throw new AssertionError(message + ": leak " + size.total() + " bytes over limit of " + limit + " bytes"
                    + size.lines() + throughReferences(size, array, filter));
        }
        return size.total();
    }

    static long assertCount(String message, Collection<?> roots, long limit, SizeFilter filter) {
        if (Settings.passesOver()) {
            return 0;
        }
        Object[] array = array(roots);
        MeasuredSize size = filter.measure(array);
        if (size.count() > limit) {
            throw new AssertionError(message + ": leak " + objects(size.count()) + " over limit of " + objects(limit)
                    + size.lines() + throughReferences(size, array, filter));
        }
        return size.count();
    }

    /** A structure with a weak reference reaches the queue, and with it all cleared references: a line for this. */
    private static String throughReferences(MeasuredSize all, Object[] roots, SizeFilter filter) {
        MeasuredSize strong = filter.and(SizeFilter.strongOnly()).measure(roots);
        long count = all.count() - strong.count();
        if (count <= 0) {
            return "";
        }
        return "\n" + objects(count) + " (" + (all.total() - strong.total()) + " bytes) " + (count == 1 ? "was" : "were")
                + " reached through java.lang.ref.Reference; SizeFilter.strongOnly() leaves them out";
    }

    private static String objects(long count) {
        return count + (count == 1 ? " object" : " objects");
    }

    static MeasuredSize increased(Callable<?> action, SizeFilter filter) throws Exception {
        Natives.collect();
        Object[] before = filter.raw(null, new Object[0]);
        action.call();
        Natives.collect();
        // What the first measurement returned is none of the action's.
        return MeasuredSize.increase(before, filter.raw(null, parts(before)));
    }

    private static Object[] parts(Object[] raw) {
        return new Object[] {raw, raw[0], raw[1], raw[2]};
    }

    /** The roots without null. */
    static Object[] array(Collection<?> roots) {
        List<Object> objects = new ArrayList<>();
        for (Object root : roots) {
            if (root != null) {
                objects.add(root);
            }
        }
        return objects.toArray();
    }
}
