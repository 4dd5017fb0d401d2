import java.util.Random;

/** Two threads write all over a heap of a million cells for as many seconds as the argument says. */
public class Writing {
    static final class Cell {
        long value;
        Cell next;
    }

    static final Cell[] cells = new Cell[1_000_000];

    public static void main(String[] arguments) throws InterruptedException {
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
        Thread.sleep((long) (Double.parseDouble(arguments[0]) * 1e3));
        System.exit(7);
    }
}
