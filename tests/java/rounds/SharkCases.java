import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import rootbound.junit.Growth;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryAssertions;

/** The scenarios that LeakCanary's detector of heap growth (Shark) is tested with; prints what each search finds. */
public class SharkCases {
    static final class Pair {
        final Object first = new Object();
        final Object second = new Object();
    }

    static final class Multi {
        final Pair pair = new Pair();
    }

    static final class Chain {
        final Chain next;

        Chain(Chain next) {
            this.next = next;
        }
    }

    static final class Four {
        static Chain chain;
    }

    static final List<Object> LEAKIES = new ArrayList<>();
    static final List<Object> FIVE = new ArrayList<>();
    static final List<Object> ENDING = new ArrayList<>();
    static final List<String> STRINGS = new ArrayList<>();
    static final List<Multi> MULTI = new ArrayList<>();
    static final Map<String, Object> MAP = new HashMap<>();
    static Chain one;
    static int index;

    static final GrowthOptions ONCE = GrowthOptions.defaults().repeats(1);

    public static void main(String[] arguments) throws Exception {
        print("empty", MemoryAssertions.findGrowth(() -> { }, ONCE));
        print("increase", MemoryAssertions.findGrowth(() -> LEAKIES.add(new Object()), ONCE));
        print("strings", MemoryAssertions.findGrowth(() -> STRINGS.add("Yo " + ++index), ONCE));
        index = 0;
        print("ends", MemoryAssertions.findGrowth(() -> { if (++index < 5) ENDING.add(new Object()); }, ONCE.rounds(9)));
        print("five a round", MemoryAssertions.findGrowth(() -> FIVE.add(new Object()), ONCE.repeats(5)));
        print("chain", MemoryAssertions.findGrowth(() -> { one = new Chain(one); }, ONCE));
        print("four nodes a run", MemoryAssertions.findGrowth(() -> {
            Four.chain = new Chain(new Chain(new Chain(new Chain(Four.chain))));
        }, ONCE));
        print("shared sub-paths", MemoryAssertions.findGrowth(() -> MULTI.add(new Multi()), ONCE));
        print("map", MemoryAssertions.findGrowth(() -> MAP.put("key" + ++index, new Object()), ONCE));
        kept();
    }

    private static void kept() throws Exception {
        Path folder = Files.createTempDirectory("kept");
        MemoryAssertions.findGrowth(() -> LEAKIES.add(new Object()), ONCE.rounds(4).keep(folder));
        try (Stream<Path> files = Files.list(folder)) {
            System.out.println("== kept\n" + files.count() + " recordings");
        }
    }

    static void print(String name, Growth growth) {
        System.out.println("== " + name + "\n" + growth);
    }
}
