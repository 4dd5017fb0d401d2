import java.util.ArrayList;
import java.util.List;
import rootbound.junit.Snapshots;

/** An operation that leaves listeners behind, with a mark before and a capture after it, as LeakBot's users work. */
public class Operation {
    static final List<Listener> listeners = new ArrayList<>();

    static final class Listener {
        final byte[] state = new byte[200];
    }

    static void operation() {
        for (int i = 0; i < 300; i++) {
            listeners.add(new Listener());
        }
    }

    public static void main(String[] arguments) throws Exception {
        operation();
        operation();
        if (arguments.length > 0) {
            System.out.println(attempt(Snapshots::capture));
            System.out.println(attempt(Snapshots::mark));
            operation();
            System.out.println(attempt(Snapshots::capture));
        }
        while (true) {
            listeners.add(new Listener());
            Thread.sleep(50);
        }
    }

    /** What the call says, once somebody watches. */
    private static String attempt(java.util.function.Supplier<String> call) throws InterruptedException {
        String said = "";
        for (int i = 0; i < 100; i++) {
            try {
                return call.get();
            } catch (IllegalStateException error) {
                said = error.getMessage();
                if (!said.contains("watched")) {
                    return said;
                }
            }
            Thread.sleep(200);
        }
        return said;
    }
}
