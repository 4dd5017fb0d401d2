import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedList;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;

/**
 * A small structure and a large one of the same kind. Arguments: the kind, members of the large one. The small one
 * begins with ten members; then it gains one a second, and the large one a thousandth of its size. Says READY when the
 * large one stands, then each second {@code SIZES small large}; runs until it is killed.
 */
public class Sizes {
    static final class Few {
        static Collection<Long> few;
    }

    static final class Many {
        static Collection<Long> many;
    }

    public static void main(String[] arguments) throws Exception {
        Supplier<Collection<Long>> kind = kind(arguments[0]);
        long members = Long.parseLong(arguments[1]);
        Few.few = kind.get();
        Many.many = kind.get();
        long few = fill(Few.few, 0, 10);
        long many = fill(Many.many, 0, members);
        System.out.println("READY");
        long start = System.nanoTime();
        for (int steps = 0;; Thread.sleep(20)) {
            double seconds = (System.nanoTime() - start) / 1e9;
            few = fill(Few.few, few, 10 + (long) seconds);
            many = fill(Many.many, many, members + (long) (seconds * members / 1000));
            if (++steps % 50 == 0) {
                System.out.println("SIZES " + few + " " + many);
            }
        }
    }

    /** Some structures count themselves when they are asked for their size: who fills them knows it. */
    private static long fill(Collection<Long> structure, long from, long to) {
        for (long member = from; member < to; member++) {
            structure.add(member * 0x9E3779B97F4A7C15L);
        }
        return Math.max(from, to);
    }

    private static Supplier<Collection<Long>> kind(String name) {
        switch (name) {
            case "list":
                return ArrayList::new;
            case "deque":
                return ArrayDeque::new;
            case "chain":
                return LinkedList::new;
            case "map":
                return () -> Collections.newSetFromMap(new java.util.HashMap<>());
            case "concurrent":
                return ConcurrentHashMap::newKeySet;
            case "tree":
                return TreeSet::new;
            case "skiplist":
                return ConcurrentSkipListSet::new;
            default:
                throw new IllegalArgumentException(name);
        }
    }
}
