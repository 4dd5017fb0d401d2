// The program of the fault tests: it leaks a little, prints a line each second, and ends on its own with a known exit
// code, so that a test can tell whether anything that happened beside it has touched it.
import java.util.ArrayList;
import java.util.List;
import pace.Pace;

/** Runs for {@code -Drun.seconds} and exits with {@code -Dexit.code}. */
public final class Exits {
    static final List<Object> kept = new ArrayList<>();

    private Exits() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long seconds = 0;
        while (pace.running()) {
            while (kept.size() < pace.due(20)) {
                kept.add(new Object());
            }
            for (; seconds < pace.due(1); seconds++) {
                System.out.println("second " + seconds);
            }
            pace.pause();
        }
        System.gc();
        System.out.println("the last line");
        System.exit(Integer.getInteger("exit.code", 7));
    }
}
