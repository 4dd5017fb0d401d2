// A slow leak under heavy flux: of every thousand requests in flight one is never answered.
package dripping;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import pace.Pace;

final class Request {
    final byte[] body = new byte[32];
}

/** Three thousand requests a second; each is answered after some tens of milliseconds, three are not. */
public final class Main {
    static final Map<Long, Request> inFlight = new HashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        Random delays = new Random(1);
        long sent = 0;
        long answered = 0;
        while (pace.running()) {
            for (; sent < pace.due(3000); sent++) {
                inFlight.put(sent, new Request());
            }
            long waiting = 60 + delays.nextInt(120);
            for (; answered < sent - waiting; answered++) {
                if (answered % 1000 != 0) {
                    inFlight.remove(answered);
                }
            }
            pace.pause();
        }
        System.out.printf("dripping: %d sent, %d in flight%n", sent, inFlight.size());
    }
}
