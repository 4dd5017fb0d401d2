import static rootbound.junit.MemoryAssertions.assertGC;
import static rootbound.junit.MemoryAssertions.assertSize;
import static rootbound.junit.MemoryAssertions.memoryTest;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import rootbound.junit.SizeFilter;

/** What NetBeans' NbTestCase promises of assertSize and assertGC, and checks of itself, as cases of our own. */
public final class NetBeans {
    static class Link {
        final Object next;

        Link(Object next) {
            this.next = next;
        }
    }

    /** Has a field of its own beside the private one of its superclass. */
    static final class LongLink extends Link {
        final Object own;

        LongLink(Object next, Object own) {
            super(next);
            this.own = own;
        }
    }

    /** A handler that keeps what it is told. */
    static final class Collecting extends Handler {
        Object latest;

        @Override
        public void publish(LogRecord record) {
            latest = record.getParameters();
        }

        @Override
        public void flush() {
        }

        @Override
        public void close() {
        }
    }

    static final Logger LOG = Logger.getLogger("netbeans");
    static Object first;
    static Object second;
    static Object hold;

    public static void main(String[] arguments) {
        collectable();
        paths();
        logged();
        roots();
        skipped();
        entered();
    }

    private static void collectable() {
        Said.says("a local variable that is gone", () -> {
            Object object = new Object();
            WeakReference<Object> reference = new WeakReference<>(object);
            object = null;
            assertGC("nothing refers to it", reference);
        });
        Said.says("a static field", () -> {
            first = new Object();
            try {
                assertGC("held", new WeakReference<>(first));
            } finally {
                first = null;
            }
        });
        Said.says("a local variable in use", () -> {
            Object object = new Object();
            assertGC("in use", new WeakReference<>(object));
            Reference.reachabilityFence(object);
        });
    }

    private static void paths() {
        System.setProperty("assertgc.paths", "3");
        Said.says("two chains to one object", () -> {
            Object target = new Object();
            first = new Link(new Link(new Link(target)));
            second = new Link(new Link(new Link(target)));
            WeakReference<Object> reference = new WeakReference<>(target);
            target = null;
            assertGC("held twice", reference);
        });
        System.clearProperty("assertgc.paths");
        first = null;
        second = null;
    }

    /** The cases of Log.assertInstances: instances that were logged, and should be gone. */
    private static void logged() {
        Collecting handler = new Collecting();
        LOG.addHandler(handler);
        LOG.setUseParentHandlers(false);
        Said.says("logged and held", () -> memoryTest(checker -> {
            String text = new String("held");
            hold = text;
            LOG.log(java.util.logging.Level.INFO, "text", text);
            handler.latest = null;
            checker.assertCollectable(text);
        }));
        hold = null;
        Said.says("logged and free", () -> memoryTest(checker -> {
            String text = new String("free");
            LOG.log(java.util.logging.Level.INFO, "text", text);
            handler.latest = null;
            checker.assertCollectable(text);
        }));
        Said.says("a handler that is removed", () -> {
            WeakReference<Object> reference = new WeakReference<>(added());
            LOG.removeHandler((Handler) reference.get());
            assertGC("removed", reference);
        });
        LOG.removeHandler(handler);
    }

    private static Handler added() {
        Handler another = new Collecting();
        LOG.addHandler(another);
        return another;
    }

    private static void roots() {
        Link link = new Link(new int[2]);
        Said.says("one root", () -> assertSize("link", 0, link));
        Said.says("a list of this root", () -> assertSize("link", Collections.singleton(link), 0));
        Said.says("what two roots share", () -> assertSize("links", Arrays.asList(link, new Link(link.next)), 0));
        Said.says("a root within another", () -> assertSize("links", Arrays.asList(link, new Link(link)), 0));
        Said.says("as large as the limit", () -> assertSize("link", 40, link));
        Said.says("no root", () -> assertSize("none", Collections.emptyList(), 0));
        Said.says("null among roots", () -> assertSize("null", Arrays.asList(link, null), 0));
    }

    private static void skipped() {
        int[] shared = new int[2];
        Link inner = new Link(shared);
        LongLink both = new LongLink(inner, shared);
        Said.says("nothing skipped", () -> assertSize("both", 0, both));
        Said.says("what is behind a skipped object is counted by another path", () ->
                assertSize("both", List.of(both), 0, new Object[] {inner}));
        Said.says("skipped objects are the same, not equal", () -> {
            Link text = new Link(new byte[4]);
            assertSize("text", List.of(text), 0, new Object[] {new byte[4]});
        });
        Said.says("what a filter rejects", () -> {
            long bytes = assertSize("both", List.of(both), 1_000L, SizeFilter.with(object -> object instanceof int[]));
            throw new AssertionError(bytes + " bytes");
        });
    }

    private static void entered() {
        Said.says("fields of all superclasses", () ->
                assertSize("long", 0, new LongLink(new short[1], new long[1])));
        Said.says("elements of arrays of arrays", () -> assertSize("arrays", 0, new int[2][3]));
        Said.says("no class", () -> assertSize("class", 0, new Link(NetBeans.class)));
        Said.says("what a weak reference refers to", () -> {
            Link weak = new Link(new WeakReference<>(new int[100]));
            long all = assertSize("weak", List.of(weak), 10_000L, SizeFilter.none());
            long strong = assertSize("weak", List.of(weak), 10_000L, SizeFilter.strongOnly());
            throw new AssertionError(all - strong >= 416 ? "is counted" : all + " " + strong);
        });
    }
}
