import java.io.IOException;

/** Arrays of values that are larger than a region, and end anywhere in one. Lives until its input closes. */
public class Slabs {
    static final byte[][] slabs = new byte[12][];
    static final long[] numbers = new long[150_001];

    public static void main(String[] arguments) throws IOException {
        for (int i = 0; i < slabs.length; i++) {
            slabs[i] = new byte[(i + 6) * 130_000];
        }
        slabs[0] = new byte[1 << 20];
        slabs[1] = new byte[(1 << 20) - 16];
        slabs[2] = new byte[(1 << 20) - 4096];
        Input.awaitEnd();
    }
}
