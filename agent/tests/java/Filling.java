import java.lang.ref.WeakReference;

/**
 * A text that two threads write and, now and then, begin anew, for half as many seconds as the argument says; then it is let
 * go. Exits with 7 when it has been collected, with 8 when something holds it.
 */
public class Filling {
    static volatile Box box = new Box();

    static final class Box {
        volatile StringBuffer text = new StringBuffer();
        final Object[] objects = new Object[64];
    }

    public static void main(String[] arguments) throws Exception {
        long half = (long) (Double.parseDouble(arguments[0]) * 500);
        Thread[] threads = {new Thread(Filling::write), new Thread(Filling::write), new Thread(Filling::beginAnew)};
        for (Thread thread : threads) {
            thread.start();
        }
        Thread.sleep(half);
        WeakReference<Box> last = new WeakReference<>(box);
        box = null;
        LetGo.end(last, threads, half);
    }

    private static void write() {
        for (Box box = Filling.box; box != null; box = Filling.box) {
            StringBuffer text = box.text;
            if (text != null) {
                text.append("0123456789");
            }
            pause(1);
        }
    }

    private static void beginAnew() {
        for (Box box = Filling.box; box != null; box = Filling.box) {
            pause(1500);
            box.text = null;
            pause(100);
            box.text = new StringBuffer();
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
