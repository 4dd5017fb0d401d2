// A cache in shards, each with its table in an object of its own: a shard that outgrows its table replaces both, and
// what was there moves on into the new one.
package shards;

import java.util.concurrent.atomic.AtomicReferenceArray;
import pace.Pace;

final class Entry {
    final long key;
    Entry next;

    Entry(long key, Entry next) {
        this.key = key;
        this.next = next;
    }
}

final class Shard {
    private AtomicReferenceArray<Entry> table = new AtomicReferenceArray<>(16);
    private int used;

    void put(long key) {
        if (used > table.length() * 3 / 4) {
            grow();
        }
        insert(table, new Entry(key, null));
        used++;
    }

    private void grow() {
        AtomicReferenceArray<Entry> larger = new AtomicReferenceArray<>(2 * table.length());
        for (int at = 0; at < table.length(); at++) {
            for (Entry entry = table.get(at), next; entry != null; entry = next) {
                next = entry.next;
                insert(larger, entry);
            }
        }
        table = larger;
    }

    private static void insert(AtomicReferenceArray<Entry> table, Entry entry) {
        int at = Long.hashCode(entry.key * 0x9E3779B97F4A7C15L >>> 20) & table.length() - 1;
        entry.next = table.get(at);
        table.set(at, entry);
    }
}

final class Cache {
    final Shard[] shards = new Shard[8];

    Cache() {
        for (int at = 0; at < shards.length; at++) {
            shards[at] = new Shard();
        }
    }

    void put(long key) {
        shards[(int) (key % shards.length)].put(key);
    }
}

/** Caches forty answers a second, five in each shard. */
public final class Main {
    static final Cache answers = new Cache();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long count = 0;
        while (pace.running()) {
            while (count < pace.due(40)) {
                answers.put(count++);
            }
            pace.pause();
        }
        System.out.printf("shards: %d answers%n", count);
    }
}
