// The classic of user interfaces: listeners that register with a long-lived subject and never leave. The subject keeps
// them in an array that it copies on every change, so the array is always new.
package listeners;

import java.util.Arrays;
import pace.Pace;

final class PanelListener {
    final int[] size = {640, 480};

    int area() {
        return size[0] * size[1];
    }
}

final class Subject {
    volatile PanelListener[] registered = new PanelListener[0];

    void register(PanelListener listener) {
        PanelListener[] copy = Arrays.copyOf(registered, registered.length + 1);
        copy[copy.length - 1] = listener;
        registered = copy;
    }
}

/** Opens six panels a second; a closed panel stays registered. */
public final class Main {
    static final Subject theme = new Subject();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (theme.registered.length < pace.due(6)) {
                theme.register(new PanelListener());
            }
            pace.pause();
        }
        System.out.printf("listeners: %d registered%n", theme.registered.length);
    }
}
