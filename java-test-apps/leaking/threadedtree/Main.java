// A hand-written threaded tree: where a node has no child, its reference is a thread to the node before or behind it, so
// that each node is reached on several ways. The tree keeps its size.
package threadedtree;

import java.util.ArrayDeque;
import pace.Pace;

final class Knot {
    final long key;
    Knot left;
    Knot right;
    boolean leftIsThread = true;
    boolean rightIsThread = true;

    Knot(long key) {
        this.key = key;
    }
}

/** Never balanced; the keys come in such an order that it need not be. */
final class ThreadedTree {
    private Knot top;
    int size;

    void add(long key) {
        Knot fresh = new Knot(key);
        size++;
        if (top == null) {
            top = fresh;
            return;
        }
        Knot at = top;
        while (key < at.key ? !at.leftIsThread : !at.rightIsThread) {
            at = key < at.key ? at.left : at.right;
        }
        if (key < at.key) {
            fresh.left = at.left;
            fresh.right = at;
            at.left = fresh;
            at.leftIsThread = false;
        } else {
            fresh.right = at.right;
            fresh.left = at;
            at.right = fresh;
            at.rightIsThread = false;
        }
    }
}

/** Five appointments a second are never deleted, while forty requests a second come and go. */
public final class Main {
    private static final int AT_START = 3_000;
    private static final int AT_WORK = 500;

    static final ThreadedTree calendar = new ThreadedTree();
    static final ArrayDeque<byte[]> requests = new ArrayDeque<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long served = 0;
        while (pace.running()) {
            while (calendar.size < AT_START + pace.due(5)) {
                calendar.add(calendar.size * 0x9E3779B97F4A7C15L);
            }
            for (; served < pace.due(40); served++) {
                requests.add(new byte[256]);
                if (requests.size() > AT_WORK) {
                    requests.remove();
                }
            }
            pace.pause();
        }
        System.out.printf("threadedtree: %d in the calendar, %d requests served%n", calendar.size, served);
    }
}
