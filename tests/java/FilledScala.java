import contents.Dumps;
import contents.Element;
import contents.Key;
import java.util.*;
import scala.collection.mutable.ArrayBuffer;
import scala.collection.mutable.LinkedHashMap;

/** Fills collections of Scala with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledScala {
    public static void main(String[] arguments) throws Exception {
        Dumps.write(arguments[0], FilledScala::fill);
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
