import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A heap of known shape that does not change: a ring of nodes, each with an array of itself and its successor, and an
 * array of numbers. As many threads as the argument says allocate all the while. Lives until its input closes.
 */
public class Still {
    static final int NODES = 10_000;
    static final List<Node> nodes = new ArrayList<>();
    static Supplier<Node> hidden;
    static Object[][] grid = new Object[3][4];

    static class Node {
        Object[] peers;
        int[] numbers;
        Node next;
    }

    static final class Special extends Node {
        long more;
    }

    public static void main(String[] arguments) throws IOException {
        for (int i = 0; i < NODES; i++) {
            Node node = i % 10 == 0 ? new Special() : new Node();
            nodes.add(node);
            node.numbers = new int[i % 7];
        }
        for (int i = 0; i < NODES; i++) {
            Node node = nodes.get(i);
            node.next = nodes.get((i + 1) % NODES);
            node.peers = new Object[] {node, null, node.next};
        }
        Node first = nodes.get(0);
        hidden = () -> first;
        grid[1][2] = hidden.get();
        System.gc();
        for (int i = 0; arguments.length > 0 && i < Integer.parseInt(arguments[0]); i++) {
            churn();
        }
        Input.awaitEnd();
        System.exit(7);
    }

    static volatile Object sink;

    private static void churn() {
        Thread thread = new Thread(() -> {
            List<Object> kept = new ArrayList<>();
            for (int i = 0;; i++) {
                sink = new byte[i % 2000];
                if (i % 100 == 0) {
                    kept.add(new Object[] {sink, Integer.valueOf(i)});
                }
                if (kept.size() > 5000) {
                    kept.clear();
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
