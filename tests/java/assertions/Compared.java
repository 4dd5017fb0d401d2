import static rootbound.junit.MemoryAssertions.assertGC;
import static rootbound.junit.MemoryAssertions.measure;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rootbound.junit.MeasuredSize;
import rootbound.junit.SizeFilter;

/** A structure that is measured here and in a capture. */
public final class Compared {
    static Map<String, Object> orders = new HashMap<>();

    public static void main(String[] arguments) {
        for (int at = 0; at < 500; at++) {
            List<Object> order = new ArrayList<>(List.of(new int[at], "order " + at, Compared.class));
            order.add(at % 3 == 0 ? order : new Object[at % 7]);
            orders.put("key" + at, order);
        }
        MeasuredSize size = measure(List.of(orders), SizeFilter.none());
        Said.says("bytes", () -> {
            throw new AssertionError(size.total());
        });
        Said.says("count", () -> {
            throw new AssertionError(size.count());
        });
        Said.says("gc", () -> assertGC("orders", new WeakReference<>(orders)));
    }
}
