// Section 4.1 of the AntTracks paper: a cache of location searches. Its keys have no equals, so no search ever finds the
// result of an earlier one, and every search adds a key and a list of locations.
package easytravel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import pace.Pace;

/** A place to travel to. */
final class Location {
    final String name;
    final double latitude;
    final double longitude;

    Location(String name, double latitude, double longitude) {
        this.name = name;
        this.latitude = latitude;
        this.longitude = longitude;
    }
}

/** Finds locations. */
final class JourneyService {
    /** The key of a search, without hashCode and equals. */
    static final class QueryKey {
        final String name;
        final int limit;

        QueryKey(String name, int limit) {
            this.name = name;
            this.limit = limit;
        }
    }

    static final Map<QueryKey, Collection<Location>> cache = new ConcurrentHashMap<>();
    private static final int FOUND = 4;

    private JourneyService() {}

    static Collection<Location> findLocations(String name) {
        return cache.computeIfAbsent(new QueryKey(name, FOUND), JourneyService::search);
    }

    private static Collection<Location> search(QueryKey key) {
        List<Location> found = new ArrayList<>(key.limit);
        for (int number = 0; number < key.limit; number++) {
            found.add(new Location(key.name + " " + number, number, -number));
        }
        return found;
    }
}

/** Searches for the same ten names, two hundred times a second. */
public final class Main {
    private static final String[] NAMES = new String[10];

    private Main() {}

    public static void main(String[] args) {
        for (int name = 0; name < NAMES.length; name++) {
            NAMES[name] = "city " + name;
        }
        Pace pace = new Pace();
        long searches = 0;
        while (pace.running()) {
            for (; searches < pace.due(200); searches++) {
                JourneyService.findLocations(NAMES[(int) (searches % NAMES.length)]);
            }
            pace.pause();
        }
        System.out.printf("easytravel: %d searches, %d cached%n", searches, JourneyService.cache.size());
    }
}
