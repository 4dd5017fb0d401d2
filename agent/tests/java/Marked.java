import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;

/**
 * Structures to be reached by paths: a map, a list, a chain, and what a thread keeps. Lives until its input closes.
 * Arguments: entries, and {@code churn} for a thread that changes the structures all the time, or {@code late} to fill
 * them after ten seconds.
 */
public class Marked {
    static final HashMap<Integer, Member> map = new HashMap<>();
    static final ArrayList<Member> list = new ArrayList<>();
    static LinkedList<Member> chain = new LinkedList<>();
    static final int[] numbers = {1, 2, 3};
    static final Rare[] rare = {new Rare(), new Rare(), new Rare()};
    static final long wide = 0x7fff_ffff_ffffL;
    static final Member nobody = null;
    static final Keeper keeper = new Keeper();

    static class Member {
    }

    static final class Special extends Member {
    }

    static final class Rare {
    }

    static final class Holder {
        final Member[] members = {new Member(), new Special(), null};
        final Holder itself = this;
    }

    static final class Keeper extends Thread {
        final Holder kept = new Holder();

        Keeper() {
            super("keeper");
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                sleep(3_600_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final class Churn extends Thread {
        Churn() {
            setDaemon(true);
        }

        @Override
        public void run() {
            for (int i = 0;; i++) {
                chain.addFirst(chain.removeLast());
                list.set(i % list.size(), i % 3 == 0 ? null : i % 3 == 1 ? new Member() : new Special());
                map.remove(i % 1000);
                map.put(i % 1000, new Member());
                if (i % 1000 == 0) {
                    LinkedList<Member> next = new LinkedList<>();
                    for (int k = 0; k < 1000; k++) {
                        next.add(new Member());
                    }
                    chain = next;
                }
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        int entries = Integer.parseInt(arguments[0]);
        String manner = arguments.length > 1 ? arguments[1] : "";
        if (manner.equals("late")) {
            map.put(-1, new Member());
            chain.add(new Member());
            Thread.sleep(10_000);
        }
        for (int i = 0; i < entries; i++) {
            map.put(i, new Member());
            list.add(new Member());
        }
        for (int i = 0; i < Math.min(entries, 5000); i++) {
            chain.add(new Member());
        }
        // Nothing else leads to these, and no other frame has such a list.
        ArrayList<Member> own = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            own.add(new Member());
        }
        keeper.start();
        if (manner.equals("churn")) {
            new Churn().start();
        }
        Input.awaitEnd();
        System.exit(own.size());
    }
}
