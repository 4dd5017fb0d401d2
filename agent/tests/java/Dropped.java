import java.io.File;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;

/**
 * Lets go of a list, and of the class loader of another program that keeps one, and counts the marking cycles until each is
 * gone: in every cycle an object dies that nobody else knew. Arguments: a file, to begin when it is there, and how many
 * objects there are to be marked. Ends with 7 when both were gone within two cycles; otherwise with ten times the cycles of
 * the list and those of the loader, 9 standing for never.
 */
public class Dropped {
    static final int MOST_CYCLES = 9;
    static ArrayList<Object> list = new ArrayList<>();
    static ClassLoader tenant;
    static Object[] ballast;
    static byte[] last;

    static class Member {
    }

    /** An object that is waited for. */
    static final class Awaited {
        final ReferenceQueue<Object> queue = new ReferenceQueue<>();
        final PhantomReference<Object> reference;
        Object kept;
        int cycles;

        Awaited(Object object) {
            kept = object;
            reference = new PhantomReference<>(object, queue);
        }

        /** Notes that so many cycles have passed, if it is gone. */
        boolean isGone(int passed) {
            if (cycles == 0 && queue.poll() != null) {
                cycles = passed;
            }
            return cycles > 0;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 300; i++) {
            list.add(new Member());
        }
        URL[] here = {Dropped.class.getProtectionDomain().getCodeSource().getLocation()};
        tenant = new URLClassLoader(here, ClassLoader.getPlatformClassLoader());
        Class.forName("Tenant", true, tenant);
        while (!new File(arguments[0]).exists()) {
            Thread.sleep(20);
        }
        ballast = new Object[Integer.parseInt(arguments[1])];
        for (int i = 0; i < ballast.length; i++) {
            ballast[i] = new Object[] {new Object()};
        }
        Awaited ofList = new Awaited(list);
        Awaited ofTenant = new Awaited(tenant);
        Awaited[] victims = new Awaited[MOST_CYCLES];
        for (int i = 0; i < MOST_CYCLES; i++) {
            victims[i] = new Awaited(new Object());
        }
        System.gc();
        System.gc();
        allocate(3_000);
        list = null;
        tenant = null;
        ofList.kept = null;
        ofTenant.kept = null;
        int passed = 0;
        boolean areGone = false;
        while (passed < MOST_CYCLES && !areGone) {
            Awaited victim = victims[passed];
            victim.kept = null;
            for (int i = 0; i < 2_000 && !victim.isGone(1); i++) {
                allocate(5);
            }
            passed++;
            // Those of one cycle do not come all at once.
            allocate(20);
            areGone = ofList.isGone(passed) & ofTenant.isGone(passed);
        }
        if (areGone && passed <= 2) {
            System.exit(7);
        }
        int never = MOST_CYCLES;
        System.exit(10 * (ofList.cycles == 0 ? never : ofList.cycles) + (ofTenant.cycles == 0 ? never : ofTenant.cycles));
    }

    /** Lets the collector work. */
    static void allocate(long millis) throws InterruptedException {
        for (long end = System.nanoTime() + millis * 1_000_000; System.nanoTime() < end;) {
            for (int i = 0; i < 2_000; i++) {
                last = new byte[1_000];
            }
            Thread.sleep(1);
        }
    }
}
