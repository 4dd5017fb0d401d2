package rootbound.junit.junit4;

import java.lang.annotation.Annotation;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryLimit;
import rootbound.junit.NoGrowth;
import rootbound.junit.Repeated;

/**
 * Memory assertions for JUnit 4 by annotations: {@code @Rule public final MemoryRule memory = new MemoryRule()}. A test
 * with {@link NoGrowth} is repeated with its {@code @Before} and {@code @After}. A test with {@link MemoryLimit} runs
 * once.
 */
public final class MemoryRule implements TestRule {
    @Override
    public Statement apply(Statement test, Description description) {
        NoGrowth growth = annotation(description, NoGrowth.class);
        MemoryLimit limit = annotation(description, MemoryLimit.class);
        if (growth == null && limit == null) {
            return test;
        }
        return new Statement() {
            @Override
            public void evaluate() throws Throwable {
                if (growth != null) {
                    Repeated.withoutGrowth(test, GrowthOptions.of(growth), test::evaluate);
                }
                if (limit != null) {
                    Repeated.within(limit, test::evaluate);
                }
            }
        };
    }

    private static <A extends Annotation> A annotation(Description description, Class<A> kind) {
        A own = description.getAnnotation(kind);
        Class<?> test = description.getTestClass();
        return own != null || test == null ? own : test.getAnnotation(kind);
    }
}
