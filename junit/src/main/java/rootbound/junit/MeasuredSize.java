package rootbound.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The size of a structure: all objects of it, by class. Sizes are those of the running JVM in bytes. They change with
 * its options (compressed pointers, compact headers, alignment); numbers of objects do not.
 */
public final class MeasuredSize {
    private static final String UNKNOWN = "classes loaded meanwhile";

    private final Map<String, ClassSize> byClass;
    private final long count;
    private final long total;

    private MeasuredSize(Map<String, ClassSize> sizes) {
        List<Map.Entry<String, ClassSize>> entries = new ArrayList<>(sizes.entrySet());
        entries.sort((one, other) -> {
            int byBytes = Long.compare(other.getValue().bytes, one.getValue().bytes);
            return byBytes != 0 ? byBytes : one.getKey().compareTo(other.getKey());
        });
        Map<String, ClassSize> sorted = new LinkedHashMap<>();
        long objects = 0;
        long bytes = 0;
        for (Map.Entry<String, ClassSize> entry : entries) {
            sorted.put(entry.getKey(), entry.getValue());
            objects += entry.getValue().count;
            bytes += entry.getValue().bytes;
        }
        byClass = Collections.unmodifiableMap(sorted);
        count = objects;
        total = bytes;
    }

    /** Of what {@link Natives#measure} returns. Classes of one name are one. */
    static MeasuredSize of(Object[] raw) {
        return new MeasuredSize(sizes(raw));
    }

    /** What the second has more than the first, class by class. */
    static MeasuredSize increase(Object[] before, Object[] after) {
        Map<String, ClassSize> old = sizes(before);
        Map<String, ClassSize> more = new LinkedHashMap<>();
        sizes(after).forEach((name, now) -> {
            ClassSize then = old.getOrDefault(name, ClassSize.NOTHING);
            if (now.count > then.count || now.bytes > then.bytes) {
                more.put(name, new ClassSize(Math.max(0, now.count - then.count), Math.max(0, now.bytes - then.bytes)));
            }
        });
        return new MeasuredSize(more);
    }

    private static Map<String, ClassSize> sizes(Object[] raw) {
        Class<?>[] classes = (Class<?>[]) raw[0];
        long[] counts = (long[]) raw[1];
        long[] bytes = (long[]) raw[2];
        Map<String, ClassSize> sizes = new LinkedHashMap<>();
        for (int at = 0; at < classes.length; at++) {
            String name = classes[at] == null ? UNKNOWN : classes[at].getTypeName();
            ClassSize there = sizes.getOrDefault(name, ClassSize.NOTHING);
            sizes.put(name, new ClassSize(there.count + counts[at], there.bytes + bytes[at]));
        }
        return sizes;
    }

    /** Sum of the objects' own sizes in bytes. */
    public long total() {
        return total;
    }

    /** Number of objects. */
    public long count() {
        return count;
    }

    /** By name of the class, those with most bytes first. It does not change. */
    public Map<String, ClassSize> byClass() {
        return byClass;
    }

    /** One line for the sums and one for each class: {@code java.lang.String: 3, 72B}. */
    @Override
    public String toString() {
        return total + " bytes in " + count + (count == 1 ? " object" : " objects") + lines();
    }

    /** The lines of the classes, each after a line end. */
    String lines() {
        StringBuilder text = new StringBuilder();
        byClass.forEach((name, size) -> text.append("\n  ").append(name).append(": ").append(size));
        return text.toString();
    }

    /** {@code {"bytes":…,"count":…,"classes":[{"class":…,"count":…,"bytes":…},…]}}. */
    public String toJson() {
        StringBuilder json = new StringBuilder();
        json.append("{\"bytes\":").append(total).append(",\"count\":").append(count).append(",\"classes\":[");
        String comma = "";
        for (Map.Entry<String, ClassSize> entry : byClass.entrySet()) {
            json.append(comma).append("{\"class\":").append(quoted(entry.getKey()));
            json.append(",\"count\":").append(entry.getValue().count);
            json.append(",\"bytes\":").append(entry.getValue().bytes).append('}');
            comma = ",";
        }
        return json.append("]}").toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else if (letter < ' ') {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }

    /** The objects of one class. */
    public static final class ClassSize {
        static final ClassSize NOTHING = new ClassSize(0, 0);

        private final long count;
        private final long bytes;

        ClassSize(long count, long bytes) {
            this.count = count;
            this.bytes = bytes;
        }

        /** Number of objects. */
        public long count() {
            return count;
        }

        /** Sum of their own sizes in bytes. */
        public long bytes() {
            return bytes;
        }

        /** {@code 3, 72B}. */
        @Override
        public String toString() {
            return count + ", " + bytes + "B";
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ClassSize && ((ClassSize) other).count == count
                    && ((ClassSize) other).bytes == bytes;
        }

        @Override
        public int hashCode() {
            return Objects.hash(count, bytes);
        }
    }
}
