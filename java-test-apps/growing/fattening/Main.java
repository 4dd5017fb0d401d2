// A hundred channels, none is ever added; each keeps all that it has received.
package fattening;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import pace.Pace;

/** A channel with all that it has received. */
final class Channel {
    byte[] received = new byte[0];

    void receive(int count) {
        received = Arrays.copyOf(received, received.length + count);
    }
}

/** Two hundred times a second the next channel receives a kilobyte. */
public final class Main {
    static final List<Channel> channels = new ArrayList<>();

    private Main() {}

    public static void main(String[] args) {
        for (int number = 0; number < 100; number++) {
            channels.add(new Channel());
        }
        Pace pace = new Pace();
        long packets = 0;
        while (pace.running()) {
            for (; packets < pace.due(200); packets++) {
                channels.get((int) (packets % channels.size())).receive(1024);
            }
            pace.pause();
        }
        System.out.printf("fattening: %d packets%n", packets);
    }
}
