import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The program of the dump tests: objects of many shapes and sizes, a thread with a name, then it waits to be dumped. */
public class Dumped {
    static final Map<Integer, Object> MAP = new HashMap<>();
    static final List<Object> LIST = new ArrayList<>();
    static long wide = 5;
    static int narrow = 3;
    static byte least;
    static Node head;

    static class Node {
        Node next;
        byte[] data;
        int number;
        long wide;
    }

    static class Sub extends Node {
        Object extra;
        boolean flag;
    }

    public static void main(String[] arguments) throws Exception {
        Random random = new Random(1);
        for (int at = 0; at < 20_000; at++) {
            Node node = (at & 1) == 0 ? new Node() : new Sub();
            node.data = new byte[at % 40];
            node.next = head;
            head = node;
            MAP.put(at, new byte[random.nextInt(64)]);
            LIST.add(new Object[] {new long[at % 7], new char[at % 9], new int[at % 5], new short[at % 11], head});
        }
        Thread waiting = new Thread(Dumped::sleep, "wörker-Ω");
        waiting.setDaemon(true);
        waiting.start();
        System.out.println("ready");
        sleep();
    }

    static void sleep() {
        Object[] local = new Object[10];
        try {
            Thread.sleep(120_000 + local.length);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
