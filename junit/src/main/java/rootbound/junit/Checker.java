package rootbound.junit;

/**
 * Notes, in a {@link MemoryAssertions#memoryTest memory test}, what shall hold when the test's own local variables are
 * gone.
 */
public interface Checker {
    /** This object shall be collectable. */
    void assertCollectable(Object object);

    /** Something other than the test shall keep this object. */
    void assertNotCollectable(Object object);

    /** Keeps this object until the test has ended. */
    void keep(Object object);
}
