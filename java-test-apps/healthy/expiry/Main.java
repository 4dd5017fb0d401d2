// A cache with expiry: entries live for three seconds and are swept out twice a second, so that it is never empty and
// never the same.
package expiry;

import java.util.concurrent.ConcurrentHashMap;
import pace.Pace;

final class Cached {
    final double until;

    Cached(double until) {
        this.until = until;
    }
}

/** Caches sixty prices a second. */
public final class Main {
    static final double LIFETIME_SECONDS = 3;
    static final ConcurrentHashMap<Long, Cached> prices = new ConcurrentHashMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long cached = 0;
        long sweeps = 0;
        while (pace.running()) {
            for (; cached < pace.due(60); cached++) {
                prices.put(cached, new Cached(pace.seconds() + LIFETIME_SECONDS));
            }
            for (; sweeps < pace.due(2); sweeps++) {
                prices.values().removeIf(price -> price.until <= pace.seconds());
            }
            pace.pause();
        }
        System.out.printf("expiry: %d cached, %d held%n", cached, prices.size());
    }
}
