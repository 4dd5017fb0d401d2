// A cache that is full after twelve seconds and in heavy flux ever after: every entry is new, yet nothing grows.
package boundedcache;

import java.util.LinkedHashMap;
import java.util.Map;
import pace.Pace;

final class BoundedCache extends LinkedHashMap<String, byte[]> {
    private static final long serialVersionUID = 1L;
    private static final int CAPACITY = 2400;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
        return size() > CAPACITY;
    }
}

/** Caches two hundred pages a second. */
public final class Main {
    static final BoundedCache pages = new BoundedCache();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long cached = 0;
        while (pace.running()) {
            for (; cached < pace.due(200); cached++) {
                pages.put("page-" + cached, new byte[128]);
            }
            pace.pause();
        }
        System.out.printf("boundedcache: %d pages cached, %d held%n", cached, pages.size());
    }
}
