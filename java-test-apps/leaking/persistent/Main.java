// Sessions in an immutable hash trie, as Clojure and Scala have them: each change copies the nodes from the root to it.
package persistent;

import pace.Pace;

/** What the trie holds. */
final class Session {
    final String user;

    Session(String user) {
        this.user = user;
    }
}

/** A key with its value. */
final class Pair {
    final long key;
    final Session value;

    Pair(long key, Session value) {
        this.key = key;
        this.value = value;
    }
}

/** A node of the trie: 16 slots, each with a pair, a node or nothing. It never changes. */
final class Branch {
    private static final int BITS = 4;
    static final Branch EMPTY = new Branch(new Object[1 << BITS]);

    private final Object[] slots;

    private Branch(Object[] slots) {
        this.slots = slots;
    }

    private static int slot(long key, int shift) {
        return (int) (Long.hashCode(key * 0x9E3779B97F4A7C15L) >>> shift) & ((1 << BITS) - 1);
    }

    private Branch copyWith(int slot, Object content) {
        Object[] copy = slots.clone();
        copy[slot] = content;
        return new Branch(copy);
    }

    Branch with(Pair pair, int shift) {
        int slot = slot(pair.key, shift);
        Object there = slots[slot];
        if (there == null || there instanceof Pair && ((Pair) there).key == pair.key) {
            return copyWith(slot, pair);
        }
        Branch below = there instanceof Branch ? (Branch) there : EMPTY.with((Pair) there, shift + BITS);
        return copyWith(slot, below.with(pair, shift + BITS));
    }

    Branch without(long key, int shift) {
        int slot = slot(key, shift);
        Object there = slots[slot];
        if (there instanceof Branch) {
            return copyWith(slot, ((Branch) there).without(key, shift + BITS));
        }
        return there instanceof Pair && ((Pair) there).key == key ? copyWith(slot, null) : this;
    }
}

/** The map of one moment. */
final class Sessions {
    final int count;
    private final Branch root;

    Sessions(int count, Branch root) {
        this.count = count;
        this.root = root;
    }

    Sessions with(long key, Session session) {
        return new Sessions(count + 1, root.with(new Pair(key, session), 0));
    }

    Sessions without(long key) {
        return new Sessions(count - 1, root.without(key, 0));
    }
}

/** Forty users a second log in; two seconds later all but four of them log out. */
public final class Main {
    static volatile Sessions sessions = new Sessions(0, Branch.EMPTY);

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long in = 0;
        long out = 0;
        while (pace.running()) {
            for (; in < pace.due(40); in++) {
                sessions = sessions.with(in, new Session("user " + in));
            }
            for (; out < pace.due(40) - 80; out++) {
                if (out % 10 != 0) {
                    sessions = sessions.without(out);
                }
            }
            pace.pause();
        }
        System.out.printf("persistent: %d logged in, %d still there%n", in, sessions.count);
    }
}
