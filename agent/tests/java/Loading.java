import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;

/** Loads a class twenty times a second, each time by another loader, and leaves a megabyte of garbage with each. */
public class Loading {
    static final ArrayList<Class<?>> loaded = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        URL[] here = {Loading.class.getProtectionDomain().getCodeSource().getLocation()};
        while (true) {
            URLClassLoader loader = new URLClassLoader(here, ClassLoader.getPlatformClassLoader());
            loaded.add(Class.forName("Tenant", true, loader));
            byte[] garbage = new byte[1 << 20];
            garbage[0] = 1;
            Thread.sleep(50);
        }
    }
}
