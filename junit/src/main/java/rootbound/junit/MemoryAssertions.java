package rootbound.junit;

import java.util.concurrent.Callable;

/** Assertions on the memory of this JVM. They work in every test framework, and in a plain {@code main}. */
public final class MemoryAssertions {
    private MemoryAssertions() {
    }

    /**
     * Fails if any data structure grows in every round of a scenario. What the scenario throws ends the search and is
     * thrown on as it is.
     *
     * @param scenario a round trip: what it creates is gone at its end
     * @param repeats runs in each round; more of them tell slow growth from chance
     */
    public static Growth assertNoGrowth(Runnable scenario, int repeats) {
        return assertNoGrowth(scenario, GrowthOptions.defaults().repeats(repeats));
    }

    /** The same for a scenario with checked exceptions. */
    public static Growth assertNoGrowth(Callable<?> scenario, int repeats) {
        return assertNoGrowth(scenario, GrowthOptions.defaults().repeats(repeats));
    }

    /** The same with options. */
    public static Growth assertNoGrowth(Runnable scenario, GrowthOptions options) {
        return Scenario.failing(findGrowth(scenario, options));
    }

    /** The same with options, for a scenario with checked exceptions. */
    public static Growth assertNoGrowth(Callable<?> scenario, GrowthOptions options) {
        return Scenario.failing(findGrowth(scenario, options));
    }

    /** Finds what grows in every round of a scenario, and asserts nothing. */
    public static Growth findGrowth(Runnable scenario, GrowthOptions options) {
        return Scenario.unchecked(scenario, () -> {
            scenario.run();
            return null;
        }, options);
    }

    /** The same for a scenario with checked exceptions. */
    public static Growth findGrowth(Callable<?> scenario, GrowthOptions options) {
        return Scenario.unchecked(scenario, scenario, options);
    }
}
