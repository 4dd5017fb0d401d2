import contents.Dumps;
import contents.Element;
import contents.Key;
import java.util.*;
import it.unimi.dsi.fastutil.ints.*;
import it.unimi.dsi.fastutil.longs.*;
import it.unimi.dsi.fastutil.objects.*;

/** Fills collections of fastutil with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledFastutil {
    public static void main(String[] arguments) throws Exception {
        Dumps.write(arguments[0], FilledFastutil::fill);
    }

    static Int2ObjectMap<Element> intMap, intTree;
    static Long2ObjectMap<Element> longMap;
    static Object2ObjectMap<Key, Element> openMap, linkedMap, treeMap;
    static Object2IntMap<Key> counts;
    static ObjectList<Element> list;
    static ObjectSet<Key> set;

    static void fill(int count) {
        intMap = new Int2ObjectOpenHashMap<>();
        intTree = new Int2ObjectAVLTreeMap<>();
        longMap = new Long2ObjectOpenHashMap<>();
        openMap = new Object2ObjectOpenHashMap<>();
        linkedMap = new Object2ObjectLinkedOpenHashMap<>();
        treeMap = new Object2ObjectRBTreeMap<>();
        counts = new Object2IntOpenHashMap<>();
        list = new ObjectArrayList<>();
        set = new ObjectOpenHashSet<>();
        for (int at = 0; at < count; at++) {
            intMap.put(at, new Element(at));
            intTree.put(at, new Element(at));
            longMap.put(at, new Element(at));
            openMap.put(new Key(at), new Element(at));
            linkedMap.put(new Key(at), new Element(at));
            treeMap.put(new Key(at), new Element(at));
            counts.put(new Key(at), at);
            list.add(new Element(at));
            set.add(new Key(at));
        }
    }
}
