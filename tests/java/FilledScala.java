import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;
import scala.collection.mutable.ArrayBuffer;
import scala.collection.mutable.LinkedHashMap;

/** Fills collections of Scala with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledScala {
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

    static scala.collection.mutable.HashMap<Key, Element> mutableMap;
    static LinkedHashMap<Key, Element> linkedMap;
    static ArrayBuffer<Element> buffer;
    static scala.collection.mutable.HashSet<Key> mutableSet;
    static scala.collection.concurrent.TrieMap<Key, Element> trieMap;

    static void fill(int count) {
        mutableMap = new scala.collection.mutable.HashMap<>();
        linkedMap = new LinkedHashMap<>();
        buffer = new ArrayBuffer<>();
        mutableSet = new scala.collection.mutable.HashSet<>();
        trieMap = new scala.collection.concurrent.TrieMap<>();
        for (int at = 0; at < count; at++) {
            mutableMap.put(new Key(at), new Element(at));
            linkedMap.put(new Key(at), new Element(at));
            buffer.$plus$eq(new Element(at));
            mutableSet.add(new Key(at));
            trieMap.put(new Key(at), new Element(at));
        }
    }
}
