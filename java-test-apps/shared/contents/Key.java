package contents;

/** A key of a map, by its number. */
public final class Key implements Comparable<Key> {
    public final int number;

    public Key(int number) {
        this.number = number;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key && ((Key) other).number == number;
    }

    @Override
    public int compareTo(Key other) {
        return Integer.compare(number, other.number);
    }
}
