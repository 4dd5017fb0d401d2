// The program of the fault matrix. It does work whose result is known, keeps structures whose content is known, and says
// at its end whether both came out right. What it does is chosen by properties; without any it only waits and ends.
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import pace.Pace;

/**
 * Runs until the file {@code -Dend.file} is there, or for {@code -Drun.seconds}, tells what became of its work, and exits
 * with {@code -Dexit.code}. When {@code -Dleave.file} is there it exits at once.
 */
public final class Subject {
    static final Pace pace = new Pace();
    static volatile boolean ending;

    private Subject() {}

    public static void main(String[] arguments) throws Exception {
        Kept.build();
        Files.map(new File(System.getProperty("maps.folder", ".")), Integer.getInteger("maps", 0));
        List<Thread> busy = new ArrayList<>();
        start(busy, "worker", Integer.getInteger("alloc", 0), Worker::new);
        start(busy, "spawner", Integer.getInteger("spawn", 0), Spawner::new);
        start(busy, "sleeper", 1, number -> new Sleeper());
        Crowd.gather(Integer.getInteger("threads", 0), Integer.getInteger("virtual", 0));
        System.out.println("READY");
        Growing.runToTheEnd();
        ending = true;
        for (Thread thread : busy) {
            thread.join();
        }
        Crowd.dissolve();
        Kept.check();
        System.out.println("the last line");
        System.exit(Integer.getInteger("exit.code", 7));
    }

    /** Makes the task of one of several threads. */
    interface Task {
        Runnable of(int number);
    }

    private static void start(List<Thread> all, String name, int count, Task task) {
        for (int number = 0; number < count; number++) {
            Thread thread = new Thread(task.of(number), name + "-" + number);
            thread.start();
            all.add(thread);
        }
    }

    static void corrupt(String what) {
        System.out.println("CORRUPT " + what);
    }

    /** A number that depends on every bit of its seed (splitmix64). The tests know it, too. */
    static long mix(long seed) {
        long mixed = seed + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** A link of a chain. */
    static final class Node {
        final Node next;
        final long value;

        Node(Node next, long value) {
            this.next = next;
            this.value = value;
        }
    }

    /**
     * What stands for good: {@code -Dlive} million objects in chains of a hundred, and arrays of {@code -Dwide} objects
     * on either side, so that whichever way a walk takes the fields it meets one of them late.
     */
    static final class Kept {
        static final int CHAIN = 100;
        static Object[] wide = {};
        static Node[] chains = {};
        static Object[] wideAgain = {};

        private Kept() {}

        static void build() {
            chains = new Node[(int) (Double.parseDouble(System.getProperty("live", "0")) * 1e6 / CHAIN)];
            for (int chain = 0; chain < chains.length; chain++) {
                Node head = null;
                for (int link = 0; link < CHAIN; link++) {
                    head = new Node(head, mix((long) chain * CHAIN + link));
                }
                chains[chain] = head;
            }
            wide = objects(Integer.getInteger("wide", 0));
            wideAgain = objects(Integer.getInteger("wide.again", 0));
        }

        private static Object[] objects(int count) {
            Object[] objects = new Object[count];
            for (int at = 0; at < count; at++) {
                objects[at] = new Object();
            }
            return objects;
        }

        static void check() {
            for (int chain = 0; chain < chains.length; chain++) {
                int link = CHAIN;
                for (Node node = chains[chain]; node != null; node = node.next) {
                    link--;
                    if (node.value != mix((long) chain * CHAIN + link)) {
                        corrupt("node " + link + " of chain " + chain);
                    }
                }
                if (link != 0) {
                    corrupt("length of chain " + chain);
                }
            }
            check(wide);
            check(wideAgain);
        }

        private static void check(Object[] objects) {
            for (int at = 0; at < objects.length; at++) {
                if (objects[at] == null || objects[at].getClass() != Object.class) {
                    corrupt("slot " + at);
                }
            }
        }
    }

    /** What leaks: {@code -Drate} entries a second, forgotten after {@code -Ddrop.after} seconds. */
    static final class Growing {
        static Map<Long, long[]> entries = new HashMap<>();

        private Growing() {}

        static void runToTheEnd() {
            double rate = Double.parseDouble(System.getProperty("rate", "20"));
            double dropAfter = Double.parseDouble(System.getProperty("drop.after", "1e9"));
            File end = new File(System.getProperty("end.file", "/nowhere"));
            File leave = new File(System.getProperty("leave.file", "/nowhere"));
            for (long key = 0; pace.running() && !end.exists(); pace.pause()) {
                if (pace.seconds() > dropAfter) {
                    entries = null;
                    dropAfter = 1e9;
                }
                for (; entries != null && key < pace.due(rate); key++) {
                    entries.put(key, new long[] {mix(key)});
                }
                if (leave.exists()) {
                    System.out.println("left early");
                    System.exit(Integer.getInteger("exit.code", 7));
                }
            }
            check();
        }

        private static void check() {
            if (entries != null) {
                entries.forEach((key, value) -> {
                    if (value[0] != mix(key)) {
                        corrupt("entry " + key);
                    }
                });
            }
        }
    }

    /** Allocates {@code -Dalloc.mb} a second as garbage, and computes from it what can be computed without it. */
    static final class Worker implements Runnable {
        static final int CELLS = 128;
        static final int BLOCK = 16 << 10;
        /** About what a round allocates. */
        static final double ROUND_MB = (BLOCK + CELLS * 32) / 1e6;
        private final int number;

        Worker(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            double perSecond = Double.parseDouble(System.getProperty("alloc.mb", "50")) / ROUND_MB;
            long rounds = 0;
            long sum = 0;
            while (!ending) {
                for (long due = pace.due(perSecond); rounds < due && !ending; rounds++) {
                    sum += round(((long) number << 40) + rounds);
                }
                pace.pause();
            }
            System.out.println("work " + number + " " + rounds + " " + sum);
        }

        private static long round(long seed) {
            byte[] block = new byte[BLOCK];
            Node cells = null;
            for (int at = 0; at < CELLS; at++) {
                long value = mix(seed * CELLS + at);
                cells = new Node(cells, value);
                block[(int) (value >>> 50)] = (byte) value;
            }
            long found = 0;
            for (Node cell = cells; cell != null; cell = cell.next) {
                found += cell.value;
            }
            long known = 0;
            for (int at = 0; at < CELLS; at++) {
                known += mix(seed * CELLS + at);
            }
            if (found != known) {
                corrupt("round " + seed);
            }
            return found;
        }
    }

    /** Starts one process after the other, and reads what they say. */
    static final class Spawner implements Runnable {
        private final int number;

        Spawner(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            int count = 0;
            for (; !ending; count++) {
                try {
                    spawn("word " + count);
                } catch (IOException | InterruptedException failure) {
                    corrupt("process " + count + " of " + number + ": " + failure);
                }
            }
            System.out.println("spawned " + count);
        }

        private static void spawn(String word) throws IOException, InterruptedException {
            Process process = new ProcessBuilder("echo", word).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes());
            int status = process.waitFor();
            if (status != 0 || !said.equals(word + "\n")) {
                corrupt("process that was to say " + word + " said " + said + " and ended with " + status);
            }
        }
    }

    /** Sleeps a millisecond at a time, and tells when it was kept from waking. */
    static final class Sleeper implements Runnable {
        private static final long TOLD_MS = 200;

        @Override
        public void run() {
            long longest = 0;
            long before = System.nanoTime();
            while (!ending) {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException unexpected) {
                    corrupt("sleep: " + unexpected);
                }
                long now = System.nanoTime();
                long gap = (now - before) / 1_000_000;
                before = now;
                longest = Math.max(longest, gap);
                if (gap >= TOLD_MS) {
                    System.out.printf("gap %d ms at %.1f s%n", gap, pace.seconds());
                }
            }
            System.out.println("longest gap " + longest + " ms");
        }
    }

    /** Threads that wait, platform and virtual ones; each knows at its end what it knew at its beginning. */
    static final class Crowd {
        private static final CountDownLatch end = new CountDownLatch(1);
        private static final AtomicLong knew = new AtomicLong();
        private static final List<Thread> members = new ArrayList<>();

        private Crowd() {}

        static void gather(int threads, int virtual) throws ReflectiveOperationException {
            for (int number = 0; number < threads; number++) {
                Thread thread = new Thread(null, waiter(number), "crowd-" + number, 64 << 10);
                thread.start();
                members.add(thread);
            }
            // Not in the class files of the oldest release.
            for (int number = threads; number < threads + virtual; number++) {
                Object thread = Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, waiter(number));
                members.add((Thread) thread);
            }
        }

        private static Runnable waiter(int number) {
            return () -> {
                long[] mine = {mix(number)};
                try {
                    end.await();
                } catch (InterruptedException unexpected) {
                    corrupt("wait of " + number);
                }
                knew.addAndGet(mine[0]);
            };
        }

        static void dissolve() throws InterruptedException {
            end.countDown();
            long known = 0;
            for (int number = 0; number < members.size(); number++) {
                members.get(number).join();
                known += mix(number);
            }
            if (knew.get() != known) {
                corrupt("what the crowd knew");
            }
        }
    }

    /** Files of 4 MB without content, mapped as databases map theirs. */
    static final class Files {
        private static final int BYTES = 4 << 20;
        static final List<MappedByteBuffer> mapped = new ArrayList<>();

        private Files() {}

        static void map(File folder, int count) throws IOException {
            for (int number = 0; number < count; number++) {
                try (RandomAccessFile file = new RandomAccessFile(new File(folder, "segment-" + number), "rw")) {
                    file.setLength(BYTES);
                    mapped.add(file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
                }
            }
        }
    }
}
