// A leak beside the heap: a fixed number of direct buffers, each replaced by a larger one now and then. The Java objects
// are always as many and as large as before.
package nativeleakdirect;

import java.nio.ByteBuffer;
import pace.Pace;

/** Gives every half second one of sixteen buffers half a megabyte more. */
public final class Main {
    private static final int STEP_BYTES = 512 * 1024;

    static final ByteBuffer[] channels = new ByteBuffer[16];

    private Main() {}

    private static void widen(int channel) {
        ByteBuffer narrow = channels[channel];
        int bytes = (narrow == null ? 0 : narrow.capacity()) + STEP_BYTES;
        channels[channel] = ByteBuffer.allocateDirect(bytes);
    }

    public static void main(String[] args) {
        Pace pace = new Pace();
        long widened = 0;
        while (pace.running()) {
            for (; widened < pace.due(2); widened++) {
                widen((int) (widened % channels.length));
                // The buffer that was replaced goes with its object: only a collection gives its memory back.
                System.gc();
            }
            pace.pause();
        }
        System.out.printf("nativeleakdirect: widened %d times%n", widened);
    }
}
