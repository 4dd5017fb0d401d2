// A pool thread that every task leaves a ThreadLocal on: the value refers back to what created it, so that the thread's
// own map can never drop the entry.
package threadlocals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import pace.Pace;

final class Task implements Runnable {
    private final ThreadLocal<Context> context = new ThreadLocal<>();

    @Override
    public void run() {
        context.set(new Context(this));
    }
}

final class Context {
    final Task of;

    Context(Task of) {
        this.of = of;
    }
}

/** Runs six tasks a second on one thread. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor(task -> new Thread(task, "worker"));
        Pace pace = new Pace();
        long run = 0;
        while (pace.running()) {
            for (; run < pace.due(6); run++) {
                Future<?> done = pool.submit(new Task());
                done.get();
            }
            pace.pause();
        }
        pool.shutdown();
        System.out.printf("threadlocals: %d tasks%n", run);
    }
}
