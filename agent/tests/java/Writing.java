import java.io.IOException;
import java.util.Random;

/** Two threads write all over a heap of a million cells until its input closes. */
public class Writing {
    static final class Cell {
        long value;
        Cell next;
    }

    static final Cell[] cells = new Cell[1_000_000];

    public static void main(String[] arguments) throws IOException {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell();
            cells[i].next = cells[i / 2];
        }
        System.gc();
        for (int number = 0; number < 2; number++) {
            Random random = new Random(number);
            Thread thread = new Thread(() -> {
                while (true) {
                    cells[random.nextInt(cells.length)].value++;
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        Input.awaitEnd();
        System.exit(7);
    }
}
