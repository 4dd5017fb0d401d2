import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Collections that four threads fill and empty at once, a little more of the first, for half as many seconds as the
 * argument says; then all are let go. Exits with 7 when they have been collected, with 8 when something holds them.
 */
public class Restless {
    static volatile Box box = new Box();

    static final class Member {
    }

    static final class Box {
        final HashMap<Integer, Member> map = new HashMap<>();
        final LinkedList<Member> chain = new LinkedList<>();
        final ArrayDeque<Member> ring = new ArrayDeque<>();
        final ConcurrentHashMap<Integer, Member> table = new ConcurrentHashMap<>();
    }

    public static void main(String[] arguments) throws Exception {
        Class.forName("java.util.concurrent.ConcurrentHashMap$CounterCell");
        long half = (long) (Double.parseDouble(arguments[0]) * 500);
        for (int i = 0; i < 2_000; i++) {
            step(box, i, true);
        }
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int seed = i;
            threads[i] = new Thread(() -> work(new Random(seed)));
            threads[i].start();
        }
        Thread.sleep(half);
        WeakReference<Box> last = new WeakReference<>(box);
        box = null;
        LetGo.end(last, threads, half);
    }

    private static void work(Random random) {
        for (Box box = Restless.box; box != null; box = Restless.box) {
            for (int i = 0; i < 10; i++) {
                // Three come for two that leave.
                step(box, random.nextInt(1_000_000), i % 5 < 3);
            }
            box = null;
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void step(Box box, int key, boolean adds) {
        synchronized (box.map) {
            if (adds) {
                box.map.put(key, new Member());
            } else if (!box.map.isEmpty()) {
                box.map.remove(box.map.keySet().iterator().next());
            }
        }
        synchronized (box.chain) {
            if (adds) {
                box.chain.add(new Member());
            } else {
                box.chain.poll();
            }
        }
        synchronized (box.ring) {
            if (adds) {
                box.ring.add(new Member());
            } else {
                box.ring.poll();
            }
        }
        if (adds) {
            box.table.put(key, new Member());
        } else {
            var keys = box.table.keySet().iterator();
            if (keys.hasNext()) {
                box.table.remove(keys.next());
            }
        }
    }
}
