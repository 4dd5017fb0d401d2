// Virtual threads that wait for an answer which never comes, and a virtual thread that hoards in its own frame. Where no
// carrier runs them their stacks are objects of the heap. Compiled for Java 11, so their interface is called by name.
package virtualleak;

import java.util.ArrayList;
import java.util.concurrent.locks.LockSupport;
import pace.Pace;

final class Request {
    final byte[] body = new byte[32];
    private volatile boolean answered;

    /** Returns when the request has been answered: never. */
    void awaitAnswer() {
        while (!answered) {
            LockSupport.park(this);
        }
    }
}

final class Sample {
    final double value;

    Sample(double value) {
        this.value = value;
    }
}

final class Notebook {
    final ArrayList<Sample> samples = new ArrayList<>();
}

/** Starts six virtual threads a second; one more takes eight samples a second. */
public final class Main {
    static final ArrayList<Thread> waiting = new ArrayList<>();
    static Thread sampler;

    private Main() {}

    /** {@code Thread.ofVirtual().start(task)}, which Java 11 cannot say. */
    private static Thread startVirtual(Runnable task) throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (Thread) Class.forName("java.lang.Thread$Builder").getMethod("start", Runnable.class).invoke(builder, task);
    }

    private static void takeSamples() {
        Pace pace = new Pace();
        Notebook notebook = new Notebook();
        while (pace.running()) {
            while (notebook.samples.size() < pace.due(8)) {
                notebook.samples.add(new Sample(pace.seconds()));
            }
            pace.pause();
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        Pace pace = new Pace();
        sampler = startVirtual(Main::takeSamples);
        while (pace.running()) {
            while (waiting.size() < pace.due(6)) {
                waiting.add(startVirtual(() -> new Request().awaitAnswer()));
            }
            pace.pause();
        }
        System.out.printf("virtualleak: %d threads wait%n", waiting.size());
    }
}
