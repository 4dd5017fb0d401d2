// Registries that are published as a whole: each change makes the map anew, with the entries of the one before.
package republished;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import pace.Pace;

final class Host implements Comparable<Host> {
    final int number;

    Host(int number) {
        this.number = number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Host && ((Host) other).number == number;
    }

    @Override
    public int compareTo(Host other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public int hashCode() {
        return number;
    }
}

final class Lease {
    final byte[] granted = new byte[48];
}

final class Price {
    final long cents;

    Price(long cents) {
        this.cents = cents;
    }
}

/** Twice a second each map is made anew. Every host of the six a second stays; the prices are always as many. */
public final class Main {
    private static final int HOSTS = 20_000;
    private static final int PRICES = 3_000;
    static volatile Map<Host, Lease> leases = new HashMap<>();
    static volatile Map<Host, Price> prices = new TreeMap<>();

    private Main() {}

    public static void main(String[] args) {
        for (int number = 0; number < HOSTS; number++) {
            leases.put(new Host(number), new Lease());
        }
        for (int number = 0; number < PRICES; number++) {
            prices.put(new Host(number), new Price(number));
        }
        Pace pace = new Pace();
        Random random = new Random(1);
        long published = 0;
        while (pace.running()) {
            for (; published < pace.due(2); published++) {
                Map<Host, Lease> granted = new HashMap<>(leases);
                for (int more = 0; more < 3; more++) {
                    granted.put(new Host(granted.size()), new Lease());
                }
                leases = granted;
                Map<Host, Price> changed = new TreeMap<>(prices);
                changed.put(new Host(random.nextInt(PRICES)), new Price(published));
                prices = changed;
            }
            pace.pause();
        }
        System.out.printf("republished: %d leases, %d prices%n", leases.size(), prices.size());
    }
}
