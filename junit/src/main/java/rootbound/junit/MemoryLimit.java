package rootbound.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that may leave at most so many bytes of new objects behind, measured after collections. Needs the extension for
 * JUnit 5 or the rule for JUnit 4. What is loaded and filled once counts as well, so a limit is generous, or the test
 * has {@link NoGrowth}, whose runs come first. On a class it holds for every test in it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Inherited
public @interface MemoryLimit {
    /** Bytes. */
    long value();
}
