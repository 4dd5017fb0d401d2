import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.*;
import java.util.concurrent.*;

/** Fills one of each collection of the JDK with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class Filled {
    /** Hash codes collide: thousand keys have sixteen, so that maps make trees of their bins. */
    static final class Key implements Comparable<Key> {
        final int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number % 16;
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

    static final class Element implements Delayed {
        final int number;

        Element(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number % 16;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return number;
        }

        @Override
        public int compareTo(Delayed other) {
            return Integer.compare(number, ((Element) other).number);
        }
    }

    static final class OwnMap extends LinkedHashMap<Key, Element> {}

    enum Colour { RED, GREEN, BLUE }

    // The fields' names are those of the test.
    static List<Element> arrayList, vector, stack, linkedList, copyOnWriteList, synchronizedList, unmodifiableList;
    static List<Element> checkedList, asList, listOf, subList;
    static Queue<Element> arrayDeque, priorityQueue, concurrentQueue, concurrentDeque, blockingQueue, blockingDeque;
    static Queue<Element> transferQueue, arrayBlockingQueue, priorityBlockingQueue, lifoQueue;
    static DelayQueue<Element> delayQueue;
    static Set<Element> hashSet, linkedHashSet, treeSet, skipListSet, keySetView, copyOnWriteSet, setFromMap, setOf;
    static Set<Element> subSet;
    static Map<Key, Element> hashMap, linkedHashMap, ownMap, treeMap, hashtable, identityMap, weakMap, concurrentMap;
    static Map<Key, Element> skipListMap, synchronizedMap, unmodifiableMap, checkedMap, mapOf;
    static Properties properties;
    static EnumMap<Colour, Element> enumMap;
    /** Keeps the keys of the weak map alive. */
    static List<Key> keys;

    public static void main(String[] arguments) throws Exception {
        HotSpotDiagnosticMXBean dumper = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (int count : new int[] {0, 1, 13, 1000}) {
            lists(count);
            queues(count);
            sets(count);
            maps(count);
            dumper.dumpHeap(arguments[0] + "/filled-" + count + ".hprof", true);
        }
    }

    static void lists(int count) {
        arrayList = filled(new ArrayList<>(), count);
        vector = filled(new Vector<>(), count);
        stack = filled(new Stack<>(), count);
        linkedList = filled(new LinkedList<>(), count);
        copyOnWriteList = filled(new CopyOnWriteArrayList<>(), count);
        synchronizedList = Collections.synchronizedList(filled(new ArrayList<>(), count));
        unmodifiableList = Collections.unmodifiableList(filled(new ArrayList<>(), count));
        checkedList = Collections.checkedList(filled(new ArrayList<>(), count), Element.class);
        Element[] elements = filled(new ArrayList<>(), count).toArray(new Element[0]);
        asList = Arrays.asList(elements.clone());
        listOf = List.of(fresh(count));
        subList = filled(new ArrayList<>(), count).subList(0, count / 2);
    }

    static void queues(int count) {
        arrayDeque = filled(new ArrayDeque<>(), count);
        priorityQueue = filled(new PriorityQueue<>(), count);
        concurrentQueue = filled(new ConcurrentLinkedQueue<>(), count);
        concurrentDeque = filled(new ConcurrentLinkedDeque<>(), count);
        blockingQueue = filled(new LinkedBlockingQueue<>(), count);
        blockingDeque = filled(new LinkedBlockingDeque<>(), count);
        transferQueue = filled(new LinkedTransferQueue<>(), count);
        arrayBlockingQueue = filled(new ArrayBlockingQueue<>(count + 1), count);
        priorityBlockingQueue = filled(new PriorityBlockingQueue<>(), count);
        delayQueue = filled(new DelayQueue<>(), count);
        lifoQueue = Collections.asLifoQueue(filled(new ArrayDeque<>(), count));
    }

    static void sets(int count) {
        hashSet = filled(new HashSet<>(), count);
        linkedHashSet = filled(new LinkedHashSet<>(), count);
        treeSet = filled(new TreeSet<>(), count);
        skipListSet = filled(new ConcurrentSkipListSet<>(), count);
        keySetView = filled(ConcurrentHashMap.newKeySet(), count);
        copyOnWriteSet = filled(new CopyOnWriteArraySet<>(), count);
        setFromMap = filled(Collections.newSetFromMap(new IdentityHashMap<>()), count);
        setOf = Set.of(fresh(count));
        subSet = filled(new TreeSet<>(), count).tailSet(new Element(-1));
    }

    static void maps(int count) {
        hashMap = mapped(new HashMap<>(), count);
        linkedHashMap = mapped(new LinkedHashMap<>(), count);
        ownMap = mapped(new OwnMap(), count);
        treeMap = mapped(new TreeMap<>(), count);
        hashtable = mapped(new Hashtable<>(), count);
        identityMap = mapped(new IdentityHashMap<>(), count);
        weakMap = mapped(new WeakHashMap<>(), count);
        keys = new ArrayList<>(weakMap.keySet());
        concurrentMap = mapped(new ConcurrentHashMap<>(), count);
        concurrentMap.keySet();
        skipListMap = mapped(new ConcurrentSkipListMap<>(), count);
        synchronizedMap = Collections.synchronizedMap(mapped(new HashMap<>(), count));
        unmodifiableMap = Collections.unmodifiableMap(mapped(new HashMap<>(), count));
        unmodifiableMap.keySet();
        checkedMap = Collections.checkedMap(mapped(new HashMap<>(), count), Key.class, Element.class);
        mapOf = Map.copyOf(mapped(new HashMap<>(), count));
        properties = new Properties();
        mapped(new HashMap<>(), count).forEach((key, value) -> properties.put(key, value));
        enumMap = new EnumMap<>(Colour.class);
        for (int at = 0; at < Math.min(count, 3); at++) {
            enumMap.put(Colour.values()[at], new Element(at));
        }
    }

    static Element[] fresh(int count) {
        Element[] fresh = new Element[count];
        for (int at = 0; at < count; at++) {
            fresh[at] = new Element(at);
        }
        return fresh;
    }

    static <C extends Collection<Element>> C filled(C collection, int count) {
        Collections.addAll(collection, fresh(count));
        return collection;
    }

    static <M extends Map<Key, Element>> M mapped(M map, int count) {
        for (int at = 0; at < count; at++) {
            map.put(new Key(at), new Element(at));
        }
        return map;
    }
}
