import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.TreeSet;

/**
 * Fifty structures of five kinds that all grow, each by three members a second, and nothing else: what the JVM does
 * beside that it does for the agent. Says READY at once; runs until it is killed.
 */
public class Many {
    static final ArrayList<Long> list00 = new ArrayList<>();
    static final ArrayList<Long> list01 = new ArrayList<>();
    static final ArrayList<Long> list02 = new ArrayList<>();
    static final ArrayList<Long> list03 = new ArrayList<>();
    static final ArrayList<Long> list04 = new ArrayList<>();
    static final ArrayList<Long> list05 = new ArrayList<>();
    static final ArrayList<Long> list06 = new ArrayList<>();
    static final ArrayList<Long> list07 = new ArrayList<>();
    static final ArrayList<Long> list08 = new ArrayList<>();
    static final ArrayList<Long> list09 = new ArrayList<>();
    static final ArrayDeque<Long> deque00 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque01 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque02 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque03 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque04 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque05 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque06 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque07 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque08 = new ArrayDeque<>();
    static final ArrayDeque<Long> deque09 = new ArrayDeque<>();
    static final LinkedList<Long> chain00 = new LinkedList<>();
    static final LinkedList<Long> chain01 = new LinkedList<>();
    static final LinkedList<Long> chain02 = new LinkedList<>();
    static final LinkedList<Long> chain03 = new LinkedList<>();
    static final LinkedList<Long> chain04 = new LinkedList<>();
    static final LinkedList<Long> chain05 = new LinkedList<>();
    static final LinkedList<Long> chain06 = new LinkedList<>();
    static final LinkedList<Long> chain07 = new LinkedList<>();
    static final LinkedList<Long> chain08 = new LinkedList<>();
    static final LinkedList<Long> chain09 = new LinkedList<>();
    static final HashSet<Long> set00 = new HashSet<>();
    static final HashSet<Long> set01 = new HashSet<>();
    static final HashSet<Long> set02 = new HashSet<>();
    static final HashSet<Long> set03 = new HashSet<>();
    static final HashSet<Long> set04 = new HashSet<>();
    static final HashSet<Long> set05 = new HashSet<>();
    static final HashSet<Long> set06 = new HashSet<>();
    static final HashSet<Long> set07 = new HashSet<>();
    static final HashSet<Long> set08 = new HashSet<>();
    static final HashSet<Long> set09 = new HashSet<>();
    static final TreeSet<Long> tree00 = new TreeSet<>();
    static final TreeSet<Long> tree01 = new TreeSet<>();
    static final TreeSet<Long> tree02 = new TreeSet<>();
    static final TreeSet<Long> tree03 = new TreeSet<>();
    static final TreeSet<Long> tree04 = new TreeSet<>();
    static final TreeSet<Long> tree05 = new TreeSet<>();
    static final TreeSet<Long> tree06 = new TreeSet<>();
    static final TreeSet<Long> tree07 = new TreeSet<>();
    static final TreeSet<Long> tree08 = new TreeSet<>();
    static final TreeSet<Long> tree09 = new TreeSet<>();

    public static void main(String[] arguments) throws Exception {
        System.out.println("READY");
        long start = System.nanoTime();
        for (long members = 0;; Thread.sleep(50)) {
            for (; members < (System.nanoTime() - start) / 1e9 * 3; members++) {
                for (Field field : Many.class.getDeclaredFields()) {
                    @SuppressWarnings("unchecked")
                    Collection<Long> structure = (Collection<Long>) field.get(null);
                    structure.add(1_000_000 + members);
                }
            }
        }
    }
}
