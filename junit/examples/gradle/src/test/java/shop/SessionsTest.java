package shop;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import rootbound.junit.MemoryLimit;
import rootbound.junit.NoGrowth;
import rootbound.junit.junit4.MemoryRule;

/** Sessions are opened and closed; those that stay open are found. */
public class SessionsTest {
    private static final Map<Integer, byte[]> OPEN = new HashMap<>();
    private static int last;

    @Rule
    public final MemoryRule memory = new MemoryRule();

    private static int open() {
        OPEN.put(++last, new byte[1000]);
        return last;
    }

    @Test
    @NoGrowth(rounds = 4)
    public void aSessionIsClosed() {
        int session = open();
        OPEN.remove(session);
        assertEquals(0, OPEN.size());
    }

    @Test
    @MemoryLimit(10_000_000)
    public void theFirstSessionLoadsLittle() {
        OPEN.remove(open());
    }

    /** Run with -Dleak=true to see a failure. */
    @Test
    @NoGrowth
    public void aForgottenSession() {
        int session = open();
        if (!Boolean.getBoolean("leak")) {
            OPEN.remove(session);
        }
    }
}
