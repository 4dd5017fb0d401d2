// A program whose resident memory grows for minutes and which leaks nothing: it touches a heap that was committed at the
// start.
package nativeuse;

import pace.Pace;

/** Two megabytes of garbage a second. */
public final class Main {
    static final byte[][] lastBlocks = new byte[16][];

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long blocks = 0;
        while (pace.running()) {
            for (; blocks < pace.due(32); blocks++) {
                lastBlocks[(int) (blocks % lastBlocks.length)] = new byte[64 * 1024];
            }
            pace.pause();
        }
        System.out.printf("nativeuse: %d blocks%n", blocks);
    }
}
