// An agent like those that instrument a program while it runs: it transforms the program's classes when they are loaded
// and, again and again, when they have long been.
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** Loaded with {@code -javaagent}; says at the end how many classes it transformed. */
public final class Retransformer implements ClassFileTransformer {
    private static final String PROGRAM = "Subject";
    private static final int PAUSE_MILLIS = 100;
    private final AtomicInteger transformed = new AtomicInteger();

    private Retransformer() {}

    public static void premain(String options, Instrumentation jvm) {
        Retransformer transformer = new Retransformer();
        jvm.addTransformer(transformer, true);
        Thread again = new Thread(() -> transformer.transformAgain(jvm), "retransformer");
        again.setDaemon(true);
        again.start();
        Runtime.getRuntime().addShutdownHook(new Thread(transformer::tell));
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
        if (name == null || !name.startsWith(PROGRAM)) {
            return null;
        }
        transformed.incrementAndGet();
        // New bytes, be they the same, are a new version of the class to the JVM.
        return bytes.clone();
    }

    private void transformAgain(Instrumentation jvm) {
        try {
            while (true) {
                Class<?>[] ours = Arrays.stream(jvm.getAllLoadedClasses())
                        .filter(each -> each.getName().startsWith(PROGRAM) && jvm.isModifiableClass(each))
                        .toArray(Class<?>[]::new);
                jvm.retransformClasses(ours);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (UnmodifiableClassException | InterruptedException unexpected) {
            System.out.println("CORRUPT retransformation: " + unexpected);
        }
    }

    private void tell() {
        System.err.println("retransformer: " + transformed + " classes");
    }
}
