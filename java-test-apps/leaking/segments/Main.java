// Arrays of arrays, written by hand: a table of segments, each an array that is full before the next one is made.
package segments;

import java.util.Arrays;
import pace.Pace;

final class Cell {
    final long value;

    Cell(long value) {
        this.value = value;
    }
}

final class Column {
    private static final int SEGMENT = 64;
    private Cell[][] segments = new Cell[4][];
    int size;

    void append(Cell cell) {
        int segment = size / SEGMENT;
        if (segment == segments.length) {
            segments = Arrays.copyOf(segments, 2 * segments.length);
        }
        if (segments[segment] == null) {
            segments[segment] = new Cell[SEGMENT];
        }
        segments[segment][size++ % SEGMENT] = cell;
    }
}

/** Appends fifteen cells a second. */
public final class Main {
    static final Column column = new Column();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (column.size < pace.due(15)) {
                column.append(new Cell(column.size));
            }
            pace.pause();
        }
        System.out.printf("segments: %d cells%n", column.size);
    }
}
