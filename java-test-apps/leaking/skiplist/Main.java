// A hand-written skip list: every node stands in one chain, and some in express chains above it, through arrays of
// references to the next.
package skiplist;

import java.util.Random;
import pace.Pace;

final class Tower {
    final long key;
    final Tower[] next;

    Tower(long key, int height) {
        this.key = key;
        next = new Tower[height];
    }
}

final class SkipList {
    private static final int HEIGHT = 12;
    private final Tower head = new Tower(Long.MIN_VALUE, HEIGHT);
    private final Random coins = new Random(1);
    int size;

    void add(long key) {
        Tower fresh = new Tower(key, Math.min(HEIGHT, 1 + Long.numberOfTrailingZeros(coins.nextLong())));
        Tower at = head;
        for (int level = HEIGHT - 1; level >= 0; level--) {
            while (at.next[level] != null && at.next[level].key < key) {
                at = at.next[level];
            }
            if (level < fresh.next.length) {
                fresh.next[level] = at.next[level];
                at.next[level] = fresh;
            }
        }
        size++;
    }
}

/** Adds nine keys a second, anywhere. */
public final class Main {
    static final SkipList scores = new SkipList();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (scores.size < pace.due(9)) {
                scores.add(scores.size * 0x9E3779B97F4A7C15L);
            }
            pace.pause();
        }
        System.out.printf("skiplist: %d scores%n", scores.size);
    }
}
