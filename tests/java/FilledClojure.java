import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;
import clojure.lang.*;

/** Fills collections of Clojure with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledClojure {
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

    static IPersistentMap hashMap, treeMap;
    static IPersistentVector vector;
    static IPersistentCollection set;

    static void fill(int count) {
        RT.init();
        hashMap = PersistentHashMap.EMPTY;
        treeMap = PersistentTreeMap.EMPTY;
        vector = PersistentVector.EMPTY;
        set = PersistentHashSet.EMPTY;
        for (int at = 0; at < count; at++) {
            hashMap = hashMap.assoc(new Key(at), new Element(at));
            treeMap = treeMap.assoc(new Key(at), new Element(at));
            vector = vector.cons(new Element(at));
            set = set.cons(new Key(at));
        }
    }
}
