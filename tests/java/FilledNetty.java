import contents.Dumps;
import contents.Element;
import contents.Key;
import java.util.*;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.LongObjectHashMap;

/** Fills collections of Netty with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledNetty {
    public static void main(String[] arguments) throws Exception {
        Dumps.write(arguments[0], FilledNetty::fill);
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
