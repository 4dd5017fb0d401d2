// Plug-ins that are loaded again and again and never let go: what leaks is mostly metaspace, and the loaders in the heap
// show who keeps it.
package nativeleakclasses;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import pace.Pace;

/** What every plug-in brings along. */
final class Plugin {
    private final int[] settings = new int[16];

    int sum() {
        int sum = 0;
        for (int setting : settings) {
            sum += setting;
        }
        return sum;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int setting : settings) {
            text.append(setting).append(' ');
        }
        return text.toString();
    }
}

/** Loads the plug-in's class as its own. */
final class PluginLoader extends ClassLoader {
    private final Class<?> plugin;

    PluginLoader(byte[] code) {
        super(PluginLoader.class.getClassLoader());
        plugin = defineClass(Plugin.class.getName(), code, 0, code.length);
    }

    Class<?> plugin() {
        return plugin;
    }
}

/** Reloads its plug-in thirty times a second. */
public final class Main {
    static final List<PluginLoader> loaders = new ArrayList<>();

    private Main() {}

    private static byte[] code() throws IOException {
        try (InputStream file = Main.class.getResourceAsStream("Plugin.class")) {
            return file.readAllBytes();
        }
    }

    public static void main(String[] args) throws IOException {
        byte[] code = code();
        Pace pace = new Pace();
        while (pace.running()) {
            while (loaders.size() < pace.due(30)) {
                loaders.add(new PluginLoader(code));
            }
            pace.pause();
        }
        System.out.printf("nativeleakclasses: %d plug-ins%n", loaders.size());
    }
}
