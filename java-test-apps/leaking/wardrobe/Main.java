// Figure 3(b) of the LeakBot paper: a hand-written linked list, List to Entry to Shirt to Buttons. One list grows at its
// tail, so each new member lies at the end of an ever longer path; the other grows at its head.
package wardrobe;

import pace.Pace;

final class Button {}

final class Shirt {
    final Button top = new Button();
    final Button bottom = new Button();
}

final class Entry {
    final Shirt shirt = new Shirt();
    Entry next;
}

/** Knows its first entry only, as the figure draws it. */
final class List {
    Entry first;
    int size;

    void addLast() {
        size++;
        if (first == null) {
            first = new Entry();
            return;
        }
        Entry last = first;
        while (last.next != null) {
            last = last.next;
        }
        last.next = new Entry();
    }

    void addFirst() {
        size++;
        Entry entry = new Entry();
        entry.next = first;
        first = entry;
    }
}

final class Wardrobe {
    static final List hangers = new List();

    private Wardrobe() {}
}

final class Laundry {
    static final List basket = new List();

    private Laundry() {}
}

/** Buys four shirts a second and never wears one out. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (Wardrobe.hangers.size < pace.due(4)) {
                Wardrobe.hangers.addLast();
            }
            while (Laundry.basket.size < pace.due(3)) {
                Laundry.basket.addFirst();
            }
            pace.pause();
        }
        System.out.printf("wardrobe: %d shirts at the tail, %d at the head%n", Wardrobe.hangers.size, Laundry.basket.size);
    }
}
