// The program of Figure 5 in the LeakBot paper: one class whose static fields hold five structures. Four grow, each
// at a speed of its own; the fifth grew for a while and then stands still.
package simpleleaker;

import java.util.LinkedList;
import java.util.Vector;
import pace.Pace;

/** Leaks on purpose, at known rates. */
public final class Main {
    static final Vector<Integer> integers = new Vector<>();
    static final Vector<Character> characters = new Vector<>();
    static final LinkedList<Object> fasterList = new LinkedList<>();
    static final LinkedList<Object> slowerList = new LinkedList<>();
    static final Vector<Boolean> booleans = new Vector<>();

    private Main() {}

    // Boxes must be new objects: values above 127 are never cached, and a Boolean is new only by its constructor.
    @SuppressWarnings("deprecation")
    private static Boolean freshBoolean() {
        return new Boolean(true);
    }

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (integers.size() < pace.due(8)) {
                integers.add(1000 + integers.size());
            }
            while (characters.size() < pace.due(2.5)) {
                characters.add((char) (1000 + characters.size()));
            }
            while (fasterList.size() < pace.due(1)) {
                fasterList.add(new Object());
            }
            while (slowerList.size() < pace.due(0.8)) {
                slowerList.add(new Object());
            }
            while (booleans.size() < pace.dueUntil(900 / 22.0, 22)) {
                booleans.add(freshBoolean());
            }
            pace.pause();
        }
        System.out.printf("simpleleaker: %d integers, %d characters, %d and %d in lists, %d booleans%n",
                integers.size(), characters.size(), fasterList.size(), slowerList.size(), booleans.size());
    }
}
