package rootbound.junit.jupiter;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryLimit;
import rootbound.junit.NoGrowth;
import rootbound.junit.Repeated;

/**
 * Memory assertions for JUnit 5 by annotations: {@code @ExtendWith(MemoryExtension.class)}. A test with
 * {@link NoGrowth} is repeated between one {@code @BeforeEach} and one {@code @AfterEach}. A test with
 * {@link MemoryLimit} runs once.
 */
public final class MemoryExtension implements InvocationInterceptor {
    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> context,
            ExtensionContext extension) throws Throwable {
        intercept(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> context,
            ExtensionContext extension) throws Throwable {
        intercept(invocation, context);
    }

    private static void intercept(Invocation<Void> invocation, ReflectiveInvocationContext<Method> context)
            throws Throwable {
        NoGrowth growth = annotation(context, NoGrowth.class);
        MemoryLimit limit = annotation(context, MemoryLimit.class);
        Object test = context.getTarget().orElse(context.getTargetClass());
        if (growth == null && limit == null) {
            invocation.proceed();
        } else if (growth == null) {
            Repeated.within(limit, invocation::proceed);
        } else {
            // JUnit lets an invocation proceed once.
            invocation.skip();
            Repeated.Run run = () -> invoke(context);
            Repeated.withoutGrowth(test, GrowthOptions.of(growth), run);
            if (limit != null) {
                Repeated.within(limit, run);
            }
        }
    }

    private static void invoke(ReflectiveInvocationContext<Method> context) throws Throwable {
        Method method = context.getExecutable();
        method.setAccessible(true);
        try {
            method.invoke(context.getTarget().orElse(null), context.getArguments().toArray());
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    private static <A extends java.lang.annotation.Annotation> A annotation(
            ReflectiveInvocationContext<Method> context, Class<A> kind) {
        return AnnotationSupport.findAnnotation(context.getExecutable(), kind)
                .or(() -> AnnotationSupport.findAnnotation(context.getTargetClass(), kind)).orElse(null);
    }
}
