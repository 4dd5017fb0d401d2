import contents.Dumps;
import contents.Element;
import contents.Key;
import java.util.*;
import kotlin.collections.ArrayDeque;
import kotlin.collections.CollectionsKt;
import kotlin.collections.MapsKt;
import kotlin.collections.SetsKt;

/** Fills collections of Kotlin with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledKotlin {
    public static void main(String[] arguments) throws Exception {
        Dumps.write(arguments[0], FilledKotlin::fill);
    }

    static ArrayDeque<Element> deque;
    static List<Element> list;
    static Map<Key, Element> map;
    static Set<Key> set;

    static void fill(int count) {
        deque = new ArrayDeque<>();
        List<Element> elements = CollectionsKt.createListBuilder();
        Map<Key, Element> entries = MapsKt.createMapBuilder();
        Set<Key> keys = SetsKt.createSetBuilder();
        for (int at = 0; at < count; at++) {
            deque.addLast(new Element(at));
            elements.add(new Element(at));
            entries.put(new Key(at), new Element(at));
            keys.add(new Key(at));
        }
        list = CollectionsKt.build(elements);
        map = MapsKt.build(entries);
        set = SetsKt.build(keys);
    }
}
