import contents.Dumps;
import contents.Element;
import contents.Key;
import java.util.*;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.*;

/** Fills collections of Guava with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledGuava {
    public static void main(String[] arguments) throws Exception {
        Dumps.write(arguments[0], FilledGuava::fill);
    }

    static Multimap<Key, Element> hashMultimap, listMultimap, linkedListMultimap, linkedHashMultimap;
    static BiMap<Key, Element> hashBiMap;
    static Cache<Key, Element> cache, boundedCache;
    static Map<Key, Element> immutableMap, mapMaker;
    static Set<Key> immutableSet;
    static List<Element> immutableList;
    static Multiset<Key> hashMultiset, treeMultiset;
    static Table<Key, Key, Element> table;
    static Queue<Element> evictingQueue, minMaxQueue;

    static void fill(int count) {
        hashMultimap = HashMultimap.create();
        listMultimap = ArrayListMultimap.create();
        linkedListMultimap = LinkedListMultimap.create();
        linkedHashMultimap = LinkedHashMultimap.create();
        hashBiMap = HashBiMap.create();
        cache = CacheBuilder.newBuilder().build();
        boundedCache = CacheBuilder.newBuilder().maximumSize(100_000).build();
        hashMultiset = HashMultiset.create();
        treeMultiset = TreeMultiset.create();
        table = HashBasedTable.create();
        evictingQueue = EvictingQueue.create(2_000);
        minMaxQueue = MinMaxPriorityQueue.create();
        mapMaker = new MapMaker().weakKeys().makeMap();
        Map<Key, Element> map = new LinkedHashMap<>();
        for (int at = 0; at < count; at++) {
            for (Multimap<Key, Element> each : List.of(hashMultimap, listMultimap, linkedListMultimap, linkedHashMultimap)) {
                each.put(new Key(at), new Element(at));
            }
            hashBiMap.put(new Key(at), new Element(at));
            cache.put(new Key(at), new Element(at));
            boundedCache.put(new Key(at), new Element(at));
            hashMultiset.add(new Key(at));
            treeMultiset.add(new Key(at));
            table.put(new Key(at), new Key(-1 - at), new Element(at));
            evictingQueue.add(new Element(at));
            minMaxQueue.add(new Element(at));
            map.put(new Key(at), new Element(at));
        }
        immutableMap = ImmutableMap.copyOf(map);
        immutableSet = ImmutableSet.copyOf(map.keySet());
        immutableList = ImmutableList.copyOf(map.values());
    }
}
