import contents.Dumps;
import contents.Element;
import contents.Key;
import java.util.*;
import clojure.lang.*;

/** Fills collections of Clojure with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledClojure {
    public static void main(String[] arguments) throws Exception {
        Dumps.write(arguments[0], FilledClojure::fill);
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
