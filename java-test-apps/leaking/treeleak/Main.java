// Trees: a TreeMap, which turns itself about as it grows, and a hand-written binary tree, whose leaves only sink.
package treeleak;

import java.util.TreeMap;
import pace.Pace;

final class TreeNode {
    final long key;
    TreeNode left;
    TreeNode right;

    TreeNode(long key) {
        this.key = key;
    }
}

/** Never balanced; the keys come in such an order that it need not be. */
final class BinaryTree {
    TreeNode top;
    int size;

    void add(long key) {
        size++;
        TreeNode fresh = new TreeNode(key);
        if (top == null) {
            top = fresh;
            return;
        }
        TreeNode at = top;
        while (true) {
            TreeNode below = key < at.key ? at.left : at.right;
            if (below == null) {
                break;
            }
            at = below;
        }
        if (key < at.key) {
            at.left = fresh;
        } else {
            at.right = fresh;
        }
    }
}

/** Books eight payments and indexes five words a second. */
public final class Main {
    static final TreeMap<String, Object> ledger = new TreeMap<>();
    static final BinaryTree index = new BinaryTree();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (ledger.size() < pace.due(8)) {
                ledger.put(String.format("payment-%08d", ledger.size()), new Object());
            }
            while (index.size < pace.due(5)) {
                index.add(index.size * 0x9E3779B97F4A7C15L);
            }
            pace.pause();
        }
        System.out.printf("treeleak: %d in the ledger, %d in the index%n", ledger.size(), index.size);
    }
}
