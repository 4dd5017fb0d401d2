// A leak of byte[] blocks only: arrays without a class of the program's own, few and large.
package blocks;

import java.util.ArrayList;
import pace.Pace;

/** Keeps eight blocks of four kilobytes a second. */
public final class Main {
    static final ArrayList<byte[]> blocks = new ArrayList<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (blocks.size() < pace.due(8)) {
                blocks.add(new byte[4096]);
            }
            pace.pause();
        }
        System.out.printf("blocks: %d blocks%n", blocks.size());
    }
}
