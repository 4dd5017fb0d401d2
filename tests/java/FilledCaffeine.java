import contents.Dumps;
import contents.Element;
import contents.Key;
import java.util.*;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Fills collections of Caffeine with n elements and dumps its heap: for n = 0, 1, 13 and 1000. */
public final class FilledCaffeine {
    public static void main(String[] arguments) throws Exception {
        Dumps.write(arguments[0], FilledCaffeine::fill);
    }

    static Cache<Key, Element> unbounded, bounded, timed;

    static void fill(int count) {
        // Maintenance in the calling thread: all writes have reached the lists when the heap is dumped.
        Caffeine<Object, Object> caffeine = Caffeine.newBuilder().executor(Runnable::run);
        unbounded = Caffeine.newBuilder().build();
        bounded = Caffeine.newBuilder().executor(Runnable::run).maximumSize(100_000).build();
        timed = caffeine.expireAfterWrite(java.time.Duration.ofHours(1)).build();
        for (int at = 0; at < count; at++) {
            unbounded.put(new Key(at), new Element(at));
            bounded.put(new Key(at), new Element(at));
            timed.put(new Key(at), new Element(at));
        }
        bounded.cleanUp();
        timed.cleanUp();
    }
}
