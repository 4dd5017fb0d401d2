// Plugins that are loaded again and again, each by a class loader of its own, and never forgotten: with each one its
// loader, its classes and their statics stay.
package plugins;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import pace.Pace;

/** Loads the plugin itself instead of asking its parent. */
final class PluginLoader extends ClassLoader {
    PluginLoader(ClassLoader parent) {
        super(parent);
    }

    Object load(String name) throws IOException, ReflectiveOperationException {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] code = file.readAllBytes();
            return defineClass(name, code, 0, code.length).getDeclaredConstructor().newInstance();
        }
    }
}

/** Loads a plugin anew three times a second; the registry never lets one go. */
public final class Main {
    static final ArrayList<Object> registry = new ArrayList<>();

    /** What is loaded. */
    public static final class Plugin {
        static final byte[] settings = new byte[1024];
    }

    private Main() {}

    public static void main(String[] args) throws Exception {
        Pace pace = new Pace();
        while (pace.running()) {
            while (registry.size() < pace.due(3)) {
                registry.add(new PluginLoader(Main.class.getClassLoader()).load("plugins.Main$Plugin"));
            }
            pace.pause();
        }
        System.out.printf("plugins: %d loaded%n", registry.size());
    }
}
