// A B+-tree in each of two districts: a node is made once in eight orders, and orders are what grows.
package districts;

import pace.Pace;

final class Order {
    final long number;

    Order(long number) {
        this.number = number;
    }
}

final class Index {
    private static final int WIDTH = 8;

    private static final class Node {
        final long[] keys = new long[WIDTH];
        final Object[] below = new Object[WIDTH];
        final int level;
        int used;

        Node(int level) {
            this.level = level;
        }

        void add(long key, Object what) {
            keys[used] = key;
            below[used++] = what;
        }
    }

    private Node root = new Node(0);

    /** Keys rise. */
    void append(long key, Order order) {
        Node beside = append(root, key, order);
        if (beside != null) {
            Node above = new Node(root.level + 1);
            above.add(root.keys[0], root);
            above.add(key, beside);
            root = above;
        }
    }

    /** The node that was made beside this one, if it was full. */
    private static Node append(Node node, long key, Order order) {
        Object what = order;
        if (node.level > 0) {
            what = append((Node) node.below[node.used - 1], key, order);
            if (what == null) {
                return null;
            }
        }
        if (node.used < WIDTH) {
            node.add(key, what);
            return null;
        }
        Node beside = new Node(node.level);
        beside.add(key, what);
        return beside;
    }
}

final class District {
    final Index delivered = new Index();
}

/** Keeps eighty delivered orders a second, half of them in each district. */
public final class Main {
    static final District[] districts = {new District(), new District()};

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long count = 0;
        while (pace.running()) {
            while (count < pace.due(80)) {
                districts[(int) (count % 2)].delivered.append(count, new Order(count));
                count++;
            }
            pace.pause();
        }
        System.out.printf("districts: %d orders%n", count);
    }
}
