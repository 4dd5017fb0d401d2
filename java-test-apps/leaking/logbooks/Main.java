// Many small buffers: the log of each ship gains a line a second. One log is a few kilobytes, all together leak. Beside
// them as many arrays that are written again and again and stay as long as they are.
package logbooks;

import java.util.HashMap;
import java.util.Map;
import pace.Pace;

/** A ship, with all that was ever written down about it. */
final class Ship {
    final StringBuilder log;

    Ship(int lines) {
        log = new StringBuilder();
        for (int line = 0; line < lines; line++) {
            log.append("ten letters".substring(0, 10));
        }
    }
}

/** The latest positions of a ship. */
final class Track {
    private final int[] positions = new int[600];
    private int next;

    void add(int position) {
        positions[next++ % positions.length] = position;
    }
}

/** Writes a line a second into each log. */
public final class Main {
    static final Map<Integer, Ship> ships = new HashMap<>();
    static final Track[] tracks = new Track[2_000];

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        for (int number = 0; number < tracks.length; number++) {
            ships.put(number, new Ship(150 + number % 700));
            tracks[number] = new Track();
        }
        long lines = 0;
        while (pace.running()) {
            for (; lines < pace.due(tracks.length); lines++) {
                int number = (int) (lines % tracks.length);
                ships.get(number).log.append("a new line");
                tracks[number].add(number);
            }
            pace.pause();
        }
        System.out.printf("logbooks: %d lines in %d logs%n", lines, ships.size());
    }
}
