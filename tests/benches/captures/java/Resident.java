import java.util.ArrayList;
import java.util.List;

/**
 * So many gigabytes of touched memory in few objects, and so many small objects. Arguments: gigabytes, objects. Says
 * READY; runs until it is killed.
 */
public class Resident {
    static final List<byte[]> BLOCKS = new ArrayList<>();
    static final List<Object> SMALL = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        long blocks = Long.parseLong(arguments[0]) * 16;
        for (long made = 0; made < blocks; made++) {
            byte[] block = new byte[(64 << 20) - 64];
            for (int at = 0; at < block.length; at += 4096) {
                block[at] = 1;
            }
            BLOCKS.add(block);
        }
        long objects = Long.parseLong(arguments[1]);
        for (long made = 0; made < objects; made++) {
            SMALL.add(new Object[2]);
        }
        System.out.println("READY");
        Thread.sleep(Long.MAX_VALUE);
    }
}
