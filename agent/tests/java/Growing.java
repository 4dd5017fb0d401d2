import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;

/**
 * Three static collections that grow by ten members each tenth of a second, a queue of constant size whose members are
 * replaced, and a holder that is let go after half of the time. It runs for as many seconds as the argument says or,
 * with any second argument, until its input is closed, if that comes first.
 */
public class Growing {
    static final HashMap<Integer, Member> map = new HashMap<>();
    static final ArrayList<Member> list = new ArrayList<>();
    static final LinkedList<Member> chain = new LinkedList<>();
    static final ArrayDeque<Member> ring = new ArrayDeque<>();
    static Holder holder = new Holder();

    static final class Member {
    }

    static final class Holder {
        final Member[] members = {new Member(), new Member(), new Member()};
    }

    public static void main(String[] arguments) throws InterruptedException {
        long begin = System.nanoTime();
        long length = (long) (Double.parseDouble(arguments[0]) * 1e9);
        for (int i = 0; i < 200; i++) {
            ring.add(new Member());
        }
        if (arguments.length > 1) {
            endWithInput();
        }
        for (int key = 0; System.nanoTime() - begin < length;) {
            for (int i = 0; i < 10; i++, key++) {
                map.put(key, new Member());
                list.add(new Member());
                chain.add(new Member());
                ring.add(new Member());
                ring.remove();
            }
            if (holder != null && System.nanoTime() - begin > length / 2) {
                holder = null;
                System.gc();
            }
            byte[] churn = new byte[1 << 20];
            churn[0] = 1;
            Thread.sleep(100);
        }
        System.exit(7);
    }

    private static void endWithInput() {
        Thread reader = new Thread(() -> {
            try {
                Input.awaitEnd();
            } catch (IOException closed) {
                // as good as its end
            }
            System.exit(7);
        });
        reader.setDaemon(true);
        reader.start();
    }
}
