import java.io.File;
import java.util.ArrayList;

/**
 * Lists that move and go when a file appears. Arguments: that file, and one that is made afterwards. Ends with 7 at the
 * end of its input.
 */
public class Heads {
    static ArrayList<Object> first = new ArrayList<>();
    static ArrayList<Object> second;
    static ArrayList<Object> doomed = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 100; i++) {
            first.add(new Object());
            doomed.add(new Object());
        }
        File wanted = new File(arguments[0]);
        while (!wanted.exists()) {
            Thread.sleep(20);
        }
        second = first;
        first = new ArrayList<>();
        doomed = null;
        System.gc();
        new File(arguments[1]).createNewFile();
        Input.awaitEnd();
        System.exit(7);
    }
}
