// A TreeMap that was large from the start: its members hang twenty references deep, and every addition turns some of
// them about.
package bigtree;

import java.util.TreeMap;
import pace.Pace;

final class Entry {
    final long written = System.nanoTime();
}

/** Begins with sixty thousand entries and writes forty a second, anywhere in the tree. */
public final class Main {
    static final int PRELOADED = 60_000;
    static final TreeMap<Long, Entry> archive = new TreeMap<>();

    private Main() {}

    private static void write() {
        archive.put(archive.size() * 0x9E3779B97F4A7C15L, new Entry());
    }

    public static void main(String[] args) {
        while (archive.size() < PRELOADED) {
            write();
        }
        Pace pace = new Pace();
        while (pace.running()) {
            while (archive.size() < PRELOADED + pace.due(40)) {
                write();
            }
            pace.pause();
        }
        System.out.printf("bigtree: %d entries%n", archive.size());
    }
}
