import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.LongObjectHashMap;

/** Fills collections of Netty with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledNetty {
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

    static IntObjectHashMap<Element> intMap;
    static LongObjectHashMap<Element> longMap;

    static void fill(int count) {
        intMap = new IntObjectHashMap<>();
        longMap = new LongObjectHashMap<>();
        for (int at = 0; at < count; at++) {
            intMap.put(at, new Element(at));
            longMap.put(at, new Element(at));
        }
    }
}
