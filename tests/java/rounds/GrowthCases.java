import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import rootbound.junit.Growth;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryAssertions;

/** Scenarios that grow and scenarios that do not; prints what each search finds, for the tests to compare. */
public class GrowthCases {
    static class Leaky {
        final byte[] load = new byte[100];
    }

    static final class Node {
        final Leaky leaky = new Leaky();
        Node next;
    }

    static final class Shelf {
        final List<Leaky> lower = new ArrayList<>();

        void add() {
            lower.add(new Leaky());
        }
    }

    static class Plugin {
    }

    static final class PluginLoader extends ClassLoader {
        PluginLoader() {
            super(null);
        }

        Class<?> load() {
            try (InputStream in = GrowthCases.class.getResourceAsStream("GrowthCases$Plugin.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass("GrowthCases$Plugin", bytes, 0, bytes.length);
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        }
    }

    static final List<Leaky> LEAKIES = new ArrayList<>();
    static final List<Leaky> OTHERS = new ArrayList<>();
    static final Map<Integer, Leaky> CACHE = new LinkedHashMap<>();
    static final Map<Integer, Leaky> TABLE = new HashMap<>();
    static final LinkedList<Leaky> LINKED = new LinkedList<>();
    static final Map<String, List<Leaky>> BY_NAME = new HashMap<>();
    static final StringBuilder LOG = new StringBuilder();
    static final ThreadLocal<List<Leaky>> OF_THREAD = ThreadLocal.withInitial(ArrayList::new);
    static final List<ClassLoader> LOADERS = new ArrayList<>();
    static final List<Leaky> ORDERS = new ArrayList<>();
    static final List<Leaky> AUDIT = new ArrayList<>();
    static final Shelf SHELF = new Shelf();
    static Node nodes;
    static Leaky latest;
    static long counter;
    static int runs;

    static final GrowthOptions DEFAULTS = GrowthOptions.defaults();

    public static void main(String[] arguments) throws Exception {
        print("list", MemoryAssertions.findGrowth(() -> LEAKIES.add(new Leaky()), DEFAULTS));
        List<Leaky> local = new ArrayList<>();
        print("local", MemoryAssertions.findGrowth(() -> local.add(new Leaky()), DEFAULTS));
        print("empty", MemoryAssertions.assertNoGrowth(() -> { }, 2));
        print("cache", MemoryAssertions.assertNoGrowth(GrowthCases::fillTheCache, DEFAULTS.rounds(8)));
        print("chain", MemoryAssertions.findGrowth(GrowthCases::push, DEFAULTS));
        print("linked", MemoryAssertions.findGrowth(() -> LINKED.add(new Leaky()), DEFAULTS));
        print("table", MemoryAssertions.findGrowth(() -> TABLE.put(runs++, new Leaky()), DEFAULTS));
        print("lists", MemoryAssertions.findGrowth(GrowthCases::addByName, DEFAULTS));
        print("builder", MemoryAssertions.findGrowth(() -> LOG.append("x".repeat(1000)), DEFAULTS));
        print("counter", MemoryAssertions.assertNoGrowth(() -> { counter++; }, 2));
        print("replaced", MemoryAssertions.assertNoGrowth(() -> { latest = new Leaky(); }, 2));
        print("slow", MemoryAssertions.assertNoGrowth(() -> { if (runs++ % 4 == 0) OTHERS.add(new Leaky()); }, 2));
        print("two", MemoryAssertions.findGrowth(() -> { LEAKIES.add(new Leaky()); OTHERS.add(new Leaky()); }, DEFAULTS));
        print("thread local", MemoryAssertions.findGrowth(() -> OF_THREAD.get().add(new Leaky()), DEFAULTS));
        print("loaders", MemoryAssertions.findGrowth(GrowthCases::addLoader, DEFAULTS));
        print("shared", MemoryAssertions.findGrowth(GrowthCases::order, DEFAULTS));
        threads();
        described();
        ignored();
        thrown();
        assertion();
        print("after all", MemoryAssertions.assertNoGrowth(() -> { }, 2));
    }

    static void fillTheCache() {
        CACHE.put(CACHE.size() % 10, new Leaky());
        if (CACHE.size() > 10) {
            throw new IllegalStateException();
        }
    }

    static void push() {
        Node node = new Node();
        node.next = nodes;
        nodes = node;
    }

    static void addByName() {
        for (String name : Arrays.asList("a", "b", "c")) {
            BY_NAME.computeIfAbsent(name, key -> new ArrayList<>()).add(new Leaky());
        }
    }

    static void addLoader() {
        PluginLoader loader = new PluginLoader();
        if (loader.load() == null) {
            throw new IllegalStateException();
        }
        LOADERS.add(loader);
    }

    static void order() {
        Leaky order = new Leaky();
        ORDERS.add(order);
        AUDIT.add(order);
    }

    static void threads() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        print("threads", MemoryAssertions.findGrowth(() -> {
            Thread thread = new Thread(() -> await(end), "worker-" + runs++);
            thread.start();
        }, DEFAULTS));
        end.countDown();
    }

    static void described() throws Exception {
        Path file = Files.createTempFile("cases", ".ds");
        Files.writeString(file, "DS GrowthCases$Shelf { java.util.ArrayList; }");
        print("described", MemoryAssertions.findGrowth(() -> SHELF.add(), DEFAULTS.describe(file)));
        Files.writeString(file, "DS GrowthCases {");
        try {
            MemoryAssertions.findGrowth(() -> { throw new IllegalStateException("the scenario runs"); },
                    DEFAULTS.describe(file));
        } catch (IllegalArgumentException error) {
            System.out.println("== wrong description\n" + error.getMessage().replaceAll("(?s).*?[^ ]*\\.ds:", "FILE:"));
        }
        Files.delete(file);
    }

    static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    static void ignored() {
        Growth found = MemoryAssertions.findGrowth(() -> LEAKIES.add(new Leaky()), DEFAULTS);
        String[] known = found.fingerprints().toArray(new String[0]);
        print("ignored", MemoryAssertions.assertNoGrowth(() -> LEAKIES.add(new Leaky()), DEFAULTS.ignore(known)));
        print("ignored place", MemoryAssertions.assertNoGrowth(() -> LEAKIES.add(new Leaky()),
                DEFAULTS.ignorePlace("static GrowthCases.LEAKIES*")));
    }

    static void thrown() {
        try {
            MemoryAssertions.assertNoGrowth(() -> { throw new IOException("as it is"); }, 2);
        } catch (Exception error) {
            System.out.println("== thrown\n" + error);
        }
        try {
            MemoryAssertions.assertNoGrowth(() -> { MemoryAssertions.assertNoGrowth(() -> { }, 1); }, 1);
        } catch (IllegalStateException error) {
            System.out.println("== nested\n" + error.getMessage());
        }
        try {
            DEFAULTS.rounds(0);
        } catch (IllegalArgumentException error) {
            System.out.println("== options\n" + error.getMessage());
        }
    }

    static void assertion() {
        try {
            MemoryAssertions.assertNoGrowth(() -> LEAKIES.add(new Leaky()), DEFAULTS.rounds(2));
        } catch (AssertionError error) {
            System.out.println("== assertion\n" + error.getMessage());
        }
    }

    static void print(String name, Growth growth) {
        if (growth.isEmpty() != growth.fingerprints().isEmpty()) {
            throw new IllegalStateException(growth.toJson());
        }
        System.out.println("== " + name + "\n" + growth);
    }
}
