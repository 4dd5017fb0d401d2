import java.util.ArrayList;
import java.util.HashMap;

/**
 * A map that two places add to, three times as often the one as the other; a list that grows by what a third place
 * allocates; and garbage of the same classes. For as many seconds as the argument says.
 */
public class Sites {
    static final HashMap<Integer, Member> map = new HashMap<>();
    static final ArrayList<Member> list = new ArrayList<>();
    static Object garbage;

    static final class Member {
    }

    static void often(int key) {
        map.put(key, new Member());
    }

    static void seldom(int key) {
        map.put(key, new Member());
    }

    static void listed() {
        list.add(new Member());
    }

    static void waste(int times) {
        for (int i = 0; i < times; i++) {
            HashMap<Integer, Member> passing = new HashMap<>();
            passing.put(i, new Member());
            garbage = passing;
        }
        garbage = new byte[1 << 16];
    }

    public static void main(String[] arguments) throws InterruptedException {
        long end = System.nanoTime() + (long) (Double.parseDouble(arguments[0]) * 1e9);
        for (int key = 0; System.nanoTime() < end;) {
            for (int i = 0; i < 40; i++, key++) {
                if (key % 4 == 0) {
                    seldom(key);
                } else {
                    often(key);
                }
                listed();
            }
            waste(100);
            Thread.sleep(10);
        }
        System.exit(7);
    }
}
