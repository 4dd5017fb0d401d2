import java.util.ArrayDeque;
import water.DKV;
import water.H2O;
import water.Key;
import water.fvec.Frame;
import water.fvec.Vec;

/** H2O embedded in a scoring service: each request makes a small frame in H2O's store (DKV) and deletes it; every second one makes a derived
 *  frame for its answer, too, which nobody deletes. A hundred result frames are kept by turns. */
public class Case {
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        H2O.main(new String[] {"-name", "scoring", "-ip", "127.0.0.1", "-web_ip", "127.0.0.1", "-baseport", "54398", "-port", "54399", "-flatfile", System.getProperty("case.tmp") + "/flat", "-disable_web", "-nthreads", "2",
            "-ice_root", System.getProperty("case.tmp"), "-log_level", "ERRR"});
        H2O.waitForCloudSize(1, 20_000);
        ArrayDeque<Frame> kept = new ArrayDeque<>();
        int n = 0, left = 0;
        double sum = 0;
        while (System.nanoTime() < end) {
            Frame f = frame("in-" + n, n);
            sum += f.vec(0).mean();
            f.delete();
            if (n % 2 == 0) { sum += frame("out-" + n, n + 0.5).vec(1).max(); left++; }
            Frame k = frame("kept-" + n, n);
            kept.add(k);
            if (kept.size() > 100) kept.poll().delete();
            n++;
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth frames " + (told - start) / 1_000_000 / 1000.0 + " " + left);
            }
            Thread.sleep(100);
        }
        System.out.println("requests " + n + " left " + left + " keys " + H2O.store_size() + " " + sum);
        System.exit(0);
    }
    static Frame frame(String name, double v) {
        Vec x = Vec.makeCon(v, 100), y = Vec.makeCon(v * 2, 100);
        Frame f = new Frame(Key.make(name), new String[] {"x", "y"}, new Vec[] {x, y});
        DKV.put(f);
        return f;
    }
}
