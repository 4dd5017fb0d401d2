import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;

/** Three static collections that grow by ten members each tenth of a second, for as many seconds as the argument says. */
public class Growing {
    static final HashMap<Integer, Member> map = new HashMap<>();
    static final ArrayList<Member> list = new ArrayList<>();
    static final LinkedList<Member> chain = new LinkedList<>();

    static final class Member {
    }

    public static void main(String[] arguments) throws InterruptedException {
        long end = System.nanoTime() + (long) (Double.parseDouble(arguments[0]) * 1e9);
        for (int key = 0; System.nanoTime() < end;) {
            for (int i = 0; i < 10; i++, key++) {
                map.put(key, new Member());
                list.add(new Member());
                chain.add(new Member());
            }
            byte[] churn = new byte[1 << 20];
            churn[0] = 1;
            Thread.sleep(100);
        }
        System.exit(7);
    }
}
