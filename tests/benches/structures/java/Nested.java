import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Heaps of nested structures that grow slowly. {@code lists}: lists of lists of arrays, each in a static field of its
 * own. {@code maps}: maps of small lists, all in one static array. The second argument is the number of the outer ones.
 * Says READY once they are built; runs until it is killed.
 */
public final class Nested {
    /** Ten outer lists each, so that there are as many places. */
    static final class Shelf00 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf01 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf02 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf03 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf04 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf05 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf06 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf07 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf08 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf09 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf10 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf11 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf12 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf13 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }
    static final class Shelf14 { static List<List<byte[]>> a, b, c, d, e, f, g, h, i, j; }

    private static final Class<?>[] SHELVES = {
        Shelf00.class, Shelf01.class, Shelf02.class, Shelf03.class, Shelf04.class, Shelf05.class, Shelf06.class,
        Shelf07.class, Shelf08.class, Shelf09.class, Shelf10.class, Shelf11.class, Shelf12.class, Shelf13.class,
        Shelf14.class,
    };

    private static final int LISTS = 40;
    private static final int ARRAYS = 330;
    private static final int ENTRIES = 300;
    private static final int ARRAYS_OF_ENTRY = 8;
    /** Outer structures that grow. */
    private static final int GROWING = 10;
    /** Arrays that come in a tenth of a second. */
    private static final int COMING = 400;

    static Map<Integer, List<byte[]>>[] maps;

    private Nested() {}

    public static void main(String[] arguments) throws Exception {
        int outer = Integer.parseInt(arguments[1]);
        boolean areMaps = arguments[0].equals("maps");
        if (areMaps) {
            fillMaps(outer);
        } else {
            for (int at = 0; at < outer; at++) {
                shelf(at).set(null, lists());
            }
        }
        System.out.println("READY");
        for (int at = 0;; Thread.sleep(100)) {
            for (int coming = 0; coming < COMING; coming++, at++) {
                int growing = at % Math.min(outer, GROWING);
                inner(areMaps, growing, at / GROWING).add(new byte[24]);
            }
        }
    }

    /** A list to grow; no variable holds it for long, so that it stays where it is. */
    @SuppressWarnings("unchecked")
    private static List<byte[]> inner(boolean areMaps, int outer, int round) throws Exception {
        return areMaps
            ? maps[outer].get(key(outer, round % ENTRIES))
            : ((List<List<byte[]>>) shelf(outer).get(null)).get(round % LISTS);
    }

    private static Field shelf(int outer) {
        return SHELVES[outer / 10].getDeclaredFields()[outer % 10];
    }

    private static int key(int outer, int entry) {
        return 1_000_000 + outer * ENTRIES + entry;
    }

    private static List<List<byte[]>> lists() {
        List<List<byte[]>> lists = new ArrayList<>();
        for (int at = 0; at < LISTS; at++) {
            lists.add(arrays(ARRAYS));
        }
        return lists;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void fillMaps(int outer) {
        maps = new Map[outer];
        for (int at = 0; at < outer; at++) {
            maps[at] = new HashMap<>();
            for (int entry = 0; entry < ENTRIES; entry++) {
                maps[at].put(key(at, entry), arrays(ARRAYS_OF_ENTRY));
            }
        }
    }

    private static List<byte[]> arrays(int count) {
        List<byte[]> arrays = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            arrays.add(new byte[24]);
        }
        return arrays;
    }
}
