package rootbound.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that is repeated, and fails if any data structure grows in every round. Needs the extension for JUnit 5 or the
 * rule for JUnit 4. On a class it holds for every test in it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Inherited
public @interface NoGrowth {
    /** Most rounds. */
    int rounds() default 5;

    /** Runs of the test in each round. */
    int repeats() default 2;

    /** Runs before the first look at the heap. */
    int warmUps() default 2;

    /** Least number of objects that a place gains in every round; 0 stands for {@link #repeats}. */
    int leastGrowth() default 0;

    /** Fingerprints that are left out. */
    String[] ignore() default {};

    /** Places that are left out, with {@code *} for anything. */
    String[] ignorePlace() default {};

    /** Files that describe data structures of the program; see {@link GrowthOptions#describe}. */
    String[] describe() default {};
}
