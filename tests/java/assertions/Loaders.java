import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/** The library in two class loaders at once, neither of them that of the program. The argument is the jar. */
public final class Loaders {
    public static void main(String[] arguments) throws Exception {
        URL[] jar = {new File(arguments[0]).toURI().toURL()};
        for (String name : List.of("first", "second")) {
            ClassLoader loader = new URLClassLoader(jar, Loaders.class.getClassLoader());
            Class<?> assertions = loader.loadClass("rootbound.junit.MemoryAssertions");
            Said.says(name, () -> call(assertions));
        }
    }

    private static void call(Class<?> assertions) throws Exception {
        try {
            assertions.getMethod("assertSize", String.class, int.class, Object.class).invoke(null, "ints", 1, new int[2]);
        } catch (java.lang.reflect.InvocationTargetException error) {
            if (error.getCause() instanceof AssertionError) {
                throw (AssertionError) error.getCause();
            }
            throw (Exception) error.getCause();
        }
    }
}
