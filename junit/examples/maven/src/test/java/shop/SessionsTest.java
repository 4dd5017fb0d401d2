package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rootbound.junit.MemoryAssertions.assertNoGrowth;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import rootbound.junit.MemoryLimit;
import rootbound.junit.NoGrowth;
import rootbound.junit.jupiter.MemoryExtension;

/** Sessions are opened and closed; those that stay open are found. */
@ExtendWith(MemoryExtension.class)
class SessionsTest {
    private static final Map<Integer, byte[]> OPEN = new HashMap<>();
    private static int last;

    private static int open() {
        OPEN.put(++last, new byte[1000]);
        return last;
    }

    @Test
    @NoGrowth(rounds = 4)
    void aSessionIsClosed() {
        int session = open();
        OPEN.remove(session);
        assertEquals(0, OPEN.size());
    }

    @Test
    @MemoryLimit(10_000_000)
    void theFirstSessionLoadsLittle() {
        OPEN.remove(open());
    }

    @Test
    void thePlainCallNeedsNoExtension() {
        assertNoGrowth(() -> OPEN.remove(open()), 2);
    }

    /** Run with -Dleak=true to see a failure. */
    @Test
    @NoGrowth
    void aForgottenSession() {
        int session = open();
        if (!Boolean.getBoolean("leak")) {
            OPEN.remove(session);
        }
    }
}
