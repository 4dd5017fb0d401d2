import java.lang.ref.WeakReference;

/** The end of a program that has let something go: its status says whether anything holds it all the same. */
final class LetGo {
    private LetGo() {}

    /** Waits for the threads, then for the collector; lives on for a while, and exits with 7, or with 8 where it is held. */
    static void end(WeakReference<?> last, Thread[] threads, long millis) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < 100 && last.get() != null; i++) {
            System.gc();
            Thread.sleep(50);
        }
        if (last.get() != null) {
            System.exit(8);
        }
        Thread.sleep(millis);
        System.exit(7);
    }
}
