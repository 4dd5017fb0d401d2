package contents;

/** An element of a collection. */
public final class Element implements Comparable<Element> {
    public final int number;

    public Element(int number) {
        this.number = number;
    }

    @Override
    public int compareTo(Element other) {
        return Integer.compare(number, other.number);
    }
}
