import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Fills collections of Caffeine with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledCaffeine {
    static final class Key implements Comparable<Key> {
        final int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).number == number;
        }

        @Override
        public int compareTo(Key other) {
            return Integer.compare(number, other.number);
        }
    }

    static final class Element implements Comparable<Element> {
        final int number;

        Element(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Element other) {
            return Integer.compare(number, other.number);
        }
    }

    public static void main(String[] arguments) throws Exception {
        HotSpotDiagnosticMXBean dumper = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (int count : new int[] {0, 1, 13, 1000}) {
            fill(count);
            dumper.dumpHeap(arguments[0] + "/filled-" + count + ".hprof", true);
        }
    }

    static Cache<Key, Element> unbounded, bounded, timed;

    static void fill(int count) {
        // Maintenance in the calling thread: all writes have reached the lists when the heap is dumped.
        Caffeine<Object, Object> caffeine = Caffeine.newBuilder().executor(Runnable::run);
        unbounded = Caffeine.newBuilder().build();
        bounded = Caffeine.newBuilder().executor(Runnable::run).maximumSize(100_000).build();
        timed = caffeine.expireAfterWrite(java.time.Duration.ofHours(1)).build();
        for (int at = 0; at < count; at++) {
            unbounded.put(new Key(at), new Element(at));
            bounded.put(new Key(at), new Element(at));
            timed.put(new Key(at), new Element(at));
        }
        bounded.cleanUp();
        timed.cleanUp();
    }
}
