import static rootbound.junit.MemoryAssertions.assertGC;
import static rootbound.junit.MemoryAssertions.assertNotCollectable;
import static rootbound.junit.MemoryAssertions.memoryTest;
import static rootbound.junit.MemoryAssertions.paths;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** assertGC, assertNotCollectable, memoryTest and paths: what passes, and the path that each failure names. */
public final class Collectable {
    static final class Session {
        Object more;
    }

    static final class Window {
        final List<Object> listeners = new ArrayList<>();
    }

    final class Inner {
    }

    /** Comes back when it is finalized. */
    static final class Phoenix {
        static final List<Object> RISEN = new ArrayList<>();

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            RISEN.add(this);
        }
    }

    static final Map<String, Object> SESSIONS = new HashMap<>();
    static final ThreadLocal<Object> CONTEXT = new ThreadLocal<>();
    static Window window = new Window();
    static Object inner;
    static Object soft;

    /** Holds by a class of its own. */
    static final class Cache {
        static final Map<Object, Object> ENTRIES = new LinkedHashMap<>();
    }

    static native void hold(Object object);

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            System.load(arguments[0]);
            Said.says("jni global", Collectable::jniGlobal);
        }
        passing();
        held();
        local();
        weaker();
        others();
        tests();
    }

    private static WeakReference<Object> weak(Object object) {
        return new WeakReference<>(object);
    }

    private static void passing() {
        Said.says("local gone", () -> assertGC("gone", weak(new Session())));
        Said.says("key of a WeakHashMap", () -> {
            Map<Object, String> map = new WeakHashMap<>();
            Object key = new Session();
            map.put(key, "x");
            Reference<?> reference = weak(key);
            key = null;
            assertGC("key", reference, Set.of(map));
        });
        Said.says("thread local removed", () -> {
            CONTEXT.set(new Session());
            WeakReference<Object> reference = weak(CONTEXT.get());
            CONTEXT.remove();
            assertGC("removed", reference);
        });
        Said.says("cleared before", () -> {
            WeakReference<Object> reference = weak(new Session());
            reference.clear();
            assertGC("cleared", reference);
        });
        Said.says("not collectable", () -> {
            SESSIONS.put("kept", new Session());
            assertNotCollectable("kept", weak(SESSIONS.get("kept")));
        });
        Said.says("not collectable, but is", () -> assertNotCollectable("gone", weak(new Session())));
        Said.says("phantom", () -> assertGC("phantom", new PhantomReference<>(new Session(), new ReferenceQueue<>())));
    }

    private static WeakReference<Object> inMap(String key) {
        Object session = new Session();
        SESSIONS.put(key, session);
        return weak(session);
    }

    private static void held() throws Exception {
        Said.says("static map", () -> assertGC("Session leaks", inMap("7")));
        Said.says("listener in a list", () -> {
            window.listeners.add(new Session());
            assertGC("listener", weak(window.listeners.get(0)));
        });
        Said.says("inner class", () -> {
            Collectable outer = new Collectable();
            inner = outer.new Inner();
            WeakReference<Object> reference = weak(outer);
            outer = null;
            assertGC("outer", reference);
        });
        ExecutorService pool = Executors.newFixedThreadPool(1, work -> {
            Thread thread = new Thread(work, "pool-thread");
            thread.setDaemon(true);
            return thread;
        });
        WeakReference<Object> context = pool.submit(() -> {
            CONTEXT.set(new Session());
            return weak(CONTEXT.get());
        }).get();
        Said.says("thread local of a pool's thread", () -> assertGC("context", context));
        pool.shutdown();
        Said.says("hint", () -> assertGC("hinted", inMap("8"), Set.of(SESSIONS)));
    }

    private static void local() throws Exception {
        Said.says("local variable", Collectable::usesAfterwards);
        CountDownLatch isThere = new CountDownLatch(1);
        List<WeakReference<Object>> reference = new ArrayList<>();
        Thread thread = new Thread(() -> waits(isThere, reference), "waiter");
        thread.setDaemon(true);
        thread.start();
        isThere.await();
        // The thread is past its latch, and in its sleep.
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        Said.says("local variable of another thread", () -> assertGC("other thread", reference.get(0)));
        thread.interrupt();
        thread.join();
        Said.says("paths", () -> {
            SESSIONS.put("9", new Session());
            throw new AssertionError(String.join("\n", paths(SESSIONS.get("9"), 1)));
        });
        Said.says("paths of nothing", () -> {
            throw new AssertionError(paths(new Session(), 1).toString());
        });
    }

    private static void usesAfterwards() {
        Object session = new Session();
        assertGC("used afterwards", weak(session));
        session.hashCode();
    }

    private static void waits(CountDownLatch isThere, List<WeakReference<Object>> reference) {
        Object session = new Session();
        reference.add(weak(session));
        isThere.countDown();
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException error) {
            session.hashCode();
        }
    }

    private static void weaker() {
        soft = new SoftReference<>(new Session());
        Said.says("soft", () -> assertGC("soft", weak(((SoftReference<?>) soft).get())));
        System.setProperty("rootbound.soft", "fail");
        Said.says("soft that fails", () -> assertGC("soft", weak(((SoftReference<?>) soft).get())));
        System.clearProperty("rootbound.soft");
        Said.says("finalizer that resurrects", () -> assertGC("phoenix", weak(new Phoenix())));
    }

    private static void others() {
        Said.says("two paths", () -> {
            System.setProperty("rootbound.paths", "2");
            WeakReference<Object> reference = inMap("10");
            Cache.ENTRIES.put("again", reference.get());
            assertGC("two", reference);
        });
        System.clearProperty("rootbound.paths");
        Said.says("more holders", () -> {
            WeakReference<Object> reference = inMap("11");
            Cache.ENTRIES.put("again", reference.get());
            assertGC("one of two", reference);
        });
        Said.says("rounds", () -> {
            System.setProperty("rootbound.gc.rounds", "many");
            assertGC("rounds", weak(SESSIONS));
        });
        System.clearProperty("rootbound.gc.rounds");
    }

    private static void tests() {
        Said.says("memory test", () -> memoryTest(checker -> {
            Session kept = new Session();
            kept.more = new int[3];
            checker.keep(kept);
            checker.assertNotCollectable(kept.more);
            checker.assertCollectable(new Session());
            SESSIONS.put("12", new Session());
            checker.assertNotCollectable(SESSIONS.get("12"));
        }));
        Said.says("memory test that fails", () -> memoryTest(checker -> {
            Session kept = new Session();
            kept.more = new Window();
            checker.keep(kept);
            checker.assertCollectable(kept.more);
            checker.assertCollectable(new Session());
            SESSIONS.put("13", new Session());
            checker.assertCollectable(SESSIONS.get("13"));
            checker.assertNotCollectable(new Session());
        }));
    }

    private static void jniGlobal() {
        Object session = new Session();
        hold(session);
        WeakReference<Object> reference = weak(session);
        session = null;
        assertGC("native", reference);
    }
}
