import static rootbound.junit.MemoryAssertions.assertCount;
import static rootbound.junit.MemoryAssertions.assertSize;
import static rootbound.junit.MemoryAssertions.increasedMemory;
import static rootbound.junit.MemoryAssertions.measure;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedList;
import java.util.List;
import rootbound.junit.MeasuredSize;
import rootbound.junit.SizeFilter;

/** assertSize, assertCount, measure and increasedMemory: the cases of the models, and their texts. */
public final class Sizes {
    enum Day { MON, TUE, WED }

    static final class Node {
        Node next;
    }

    static final class OfClass {
        final Class<?> type = String.class;
        final Class<?> primitive = int.class;
    }

    static final class Cache {
        final Object entry = new int[100];
    }

    static final class BigCache {
        final Object entry = new int[100];
    }

    interface Marked {
        Object NOBODY = new Object();
    }

    static class Base implements Marked {
        Object inherited = new int[2];
    }

    static final class Derived extends Base implements Comparable<Derived> {
        Object own = new int[4];
        Object other = new int[6];

        @Override
        public int compareTo(Derived other) {
            return 0;
        }
    }

    static final class Holder {
        final Object cache = new Cache();
        final Object more = new Cache();
    }

    static List<Object> grown = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        structures();
        limits();
        filters();
        weak();
        large();
        increase();
    }

    private static void structures() {
        Said.says("int[10]", () -> assertSize("ints", 0, new int[10]));
        Said.says("boxed", () -> assertSize("boxed", 0, new Integer[] {100_000, 100_001, 100_001}));
        Said.says("list of three", () -> assertSize("list", 0, new LinkedList<>(Arrays.asList('a', 'b', 'a'))));
        Node node = new Node();
        node.next = new Node();
        node.next.next = node;
        Said.says("cycle", () -> assertSize("cycle", 0, node));
        Said.says("a class is neither counted nor entered", () -> assertSize("class", 0, new OfClass()));
        Said.says("a class as root", () -> assertSize("class", 0, String.class));
        EnumMap<Day, String> map = new EnumMap<>(Day.class);
        Said.says("enum map", () -> assertCount("map", 3, map));
        Said.says("null", () -> assertSize("null", 0, (Object) null));
        List<Object> roots = new ArrayList<>(List.of(node, node.next));
        Said.says("the collection is no root", () -> assertSize("both", roots, 0));
    }

    private static void limits() {
        int[] ints = new int[10];
        long exact = measure(List.of(ints), SizeFilter.none()).total();
        Said.says("exact", () -> assertSize("ints", (int) exact, ints));
        Said.says("exact - 1", () -> assertSize("ints", (int) exact - 1, ints));
        Said.says("count", () -> assertCount("ints", 0, new Object[] {ints}));
        Said.says("returned", () -> {
            long size = assertSize("ints", List.of(ints), 1000L, SizeFilter.none());
            throw new AssertionError(size + " " + assertCount("ints", List.of(ints), 1L, SizeFilter.none()));
        });
        Said.says("json", () -> {
            throw new AssertionError(measure(List.of(ints), SizeFilter.none()).toJson());
        });
        Said.says("text", () -> {
            throw new AssertionError(measure(List.of(ints), SizeFilter.none()).toString());
        });
    }

    private static void filters() {
        Holder holder = new Holder();
        Object[] skip = {holder.cache};
        Said.says("skip", () -> assertCount("holder", List.of(holder), 0, skip));
        Said.says("skip of bytes", () -> assertSize("holder", List.of(holder), 0, skip));
        Said.says("skipped root", () -> assertSize("holder", List.of("x", holder), 0, new Object[] {holder}));
        SizeFilter classes = SizeFilter.skipClasses(Cache.class);
        Said.says("skipped classes", () -> assertSize("holder", List.of(holder), 0L, classes));
        Said.says("root of a skipped class", () -> assertSize("cache", List.of(new Cache()), 0L, classes));
        Said.says("skipped field", () ->
                assertCount("holder", List.of(holder), 0L, SizeFilter.skipField(Holder.class, "more")));
        Said.says("skipped field of a superclass", () ->
                assertSize("derived", List.of(new Derived()), 0L, SizeFilter.skipField(Base.class, "inherited")));
        Said.says("skipped field behind an interface's", () ->
                assertSize("derived", List.of(new Derived()), 0L, SizeFilter.skipField(Derived.class, "own")));
        Said.says("no such field", () ->
                assertSize("derived", List.of(new Derived()), 0L, SizeFilter.skipField(Derived.class, "inherited")));
        Said.says("predicate", () -> assertCount("holder", List.of(holder), 0L,
                SizeFilter.with(object -> object == holder.more).and(SizeFilter.skip(holder.cache))));
        Said.says("predicate that throws", () -> assertCount("holder", List.of(holder), 0L, SizeFilter.with(object -> {
            throw new IllegalStateException("the predicate's own");
        })));
    }

    private static void weak() {
        // The example of INSANE's tips: a weak reference reaches what it refers to.
        Object[] structure = {new WeakReference<>(new int[50]), "x"};
        SizeFilter strong = SizeFilter.strongOnly();
        Said.says("strong only", () -> assertSize("weak", List.of(structure), 0L, strong));
        Said.says("with referents", () -> {
            MeasuredSize all = measure(List.of(structure), SizeFilter.none());
            MeasuredSize some = measure(List.of(structure), strong);
            throw new AssertionError(all.byClass().get("int[]") + " " + some.byClass().get("int[]"));
        });
        Said.says("the line about references", () -> {
            try {
                assertSize("weak", 0, structure);
            } catch (AssertionError error) {
                String[] lines = error.getMessage().split("\n");
                String last = lines[lines.length - 1].replaceAll("[0-9]+ objects \\([0-9]+ bytes\\)", "N objects");
                throw new AssertionError(last);
            }
        });
    }

    private static void large() {
        Object[] million = new Object[500_000];
        for (int at = 0; at < million.length; at++) {
            million[at] = new int[] {at};
        }
        List<Object> roots = List.of(million, million.clone());
        Said.says("a million", () -> assertCount("large", roots, 0));
        Said.says("a list of 500,000 nodes", () -> {
            Node first = null;
            for (int at = 0; at < 500_000; at++) {
                Node node = new Node();
                node.next = first;
                first = node;
            }
            assertCount("list", 0, first);
        });
    }

    private static void increase() throws Exception {
        Runnable add = () -> {
            for (int at = 0; at < 1000; at++) {
                grown.add(new Node());
            }
        };
        add.run();
        MeasuredSize more = increasedMemory(() -> {
            add.run();
            return null;
        }, SizeFilter.none());
        Said.says("increase", () -> {
            throw new AssertionError(more.byClass().get("Sizes$Node"));
        });
        MeasuredSize without = increasedMemory(() -> {
            add.run();
            return null;
        }, SizeFilter.skip(grown));
        Said.says("increase without the list", () -> {
            throw new AssertionError(without.byClass().get("Sizes$Node"));
        });
    }
}
