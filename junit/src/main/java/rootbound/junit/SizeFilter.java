package rootbound.junit;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What a measurement leaves out. What is left out is neither counted, nor is it followed. Filters do not change; two
 * are joined by {@link #and}.
 *
 * <p>A filter that leaves out a root is a mistake, and reported as one.
 */
public final class SizeFilter {
    private static final SizeFilter NONE =
            new SizeFilter(new Object[0], new Class<?>[0], new Class<?>[0], new String[0], List.of());
    private static final String[] NOT_STRONG = {"referent", "queue", "next", "discovered"};

    private final Object[] objects;
    private final Class<?>[] classes;
    private final Class<?>[] fieldClasses;
    private final String[] fieldNames;
    private final List<Predicate<Object>> rejected;

    private SizeFilter(Object[] objects, Class<?>[] classes, Class<?>[] fieldClasses, String[] fieldNames,
            List<Predicate<Object>> rejected) {
        this.objects = objects;
        this.classes = classes;
        this.fieldClasses = fieldClasses;
        this.fieldNames = fieldNames;
        this.rejected = rejected;
    }

    /** Leaves out nothing. References of {@code java.lang.ref} and their queues are followed, as INSANE does. */
    public static SizeFilter none() {
        return NONE;
    }

    /** Leaves out these objects, by identity. */
    public static SizeFilter skip(Object... objects) {
        return new SizeFilter(objects.clone(), NONE.classes, NONE.classes, NONE.fieldNames, List.of());
    }

    /** Leaves out all instances of these classes and of their subclasses. */
    public static SizeFilter skipClasses(Class<?>... classes) {
        return new SizeFilter(NONE.objects, classes.clone(), NONE.classes, NONE.fieldNames, List.of());
    }

    /**
     * Does not follow an instance field, in no object of the class and of its subclasses.
     *
     * @param declaring the class that declares the field; a measurement fails if it does not
     */
    public static SizeFilter skipField(Class<?> declaring, String name) {
        Class<?>[] classes = {Objects.requireNonNull(declaring, "declaring")};
        String[] names = {Objects.requireNonNull(name, "name")};
        return new SizeFilter(NONE.objects, NONE.classes, classes, names, List.of());
    }

    /** Follows strong references only: no referent of {@code java.lang.ref}, no queue. */
    public static SizeFilter strongOnly() {
        Class<?>[] classes = new Class<?>[NOT_STRONG.length];
        Arrays.fill(classes, Reference.class);
        return new SizeFilter(NONE.objects, NONE.classes, classes, NOT_STRONG, List.of());
    }

    /**
     * Leaves out the objects that the predicate accepts. It is asked for every object of the structure, while the
     * program runs; then the structure is measured again. So all of its objects are in one array meanwhile.
     */
    public static SizeFilter with(Predicate<Object> rejected) {
        return new SizeFilter(NONE.objects, NONE.classes, NONE.classes, NONE.fieldNames, List.of(rejected));
    }

    /** Leaves out what this filter leaves out, and what the other does. */
    public SizeFilter and(SizeFilter other) {
        List<Predicate<Object>> both = new ArrayList<>(rejected);
        both.addAll(other.rejected);
        return new SizeFilter(joined(objects, other.objects), joined(classes, other.classes),
                joined(fieldClasses, other.fieldClasses), joined(fieldNames, other.fieldNames), both);
    }

    private static <T> T[] joined(T[] one, T[] other) {
        T[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** Measures from these roots, or from all GC roots where there are none. */
    MeasuredSize measure(Object[] roots) {
        return MeasuredSize.of(raw(roots, new Object[0]));
    }

    /** The same, as the natives return it; these objects are left out, too. */
    Object[] raw(Object[] roots, Object[] alsoSkipped) {
        Object[] skipped = joined(objects, alsoSkipped);
        if (!rejected.isEmpty()) {
            skipped = joined(skipped, rejectedBy((Object[]) natively(roots, skipped, true)[3]));
        }
        return natively(roots, skipped, false);
    }

    private Object[] natively(Object[] roots, Object[] skipped, boolean wantsObjects) {
        return Natives.measure(roots, skipped, classes, fieldClasses, fieldNames, wantsObjects);
    }

    private Object[] rejectedBy(Object[] all) {
        List<Object> found = new ArrayList<>();
        for (Object object : all) {
            for (Predicate<Object> predicate : rejected) {
                if (predicate.test(object)) {
                    found.add(object);
                    break;
                }
            }
        }
        return found.toArray();
    }
}
