// Figure 2 of the LeakBot paper: each transaction puts a Book and a CD into the global ActiveOrders; when it completes,
// Books are removed and CDs are forgotten. Three services share the one ActiveOrders, so none of them owns it.
package orders;

import java.util.Vector;
import pace.Pace;

/** What is in the works; several parents point to it. */
final class ActiveOrders {
    final Vector<Object> items = new Vector<>();
}

final class Book {
    final String title;

    Book(String title) {
        this.title = title;
    }
}

final class CD {
    final String title;
    final int[] trackSeconds = new int[12];

    CD(String title) {
        this.title = title;
    }
}

/** Takes orders. */
final class Checkout {
    static ActiveOrders active;

    private Checkout() {}

    static Book buy(long transaction) {
        Book book = new Book("book " + transaction);
        active.items.add(book);
        active.items.add(new CD("cd " + transaction));
        return book;
    }
}

/** Completes orders, and forgets the CDs. */
final class Shipping {
    static ActiveOrders active;

    private Shipping() {}

    static void complete(Book book) {
        active.items.remove(book);
    }
}

/** Looks at orders. */
final class Billing {
    static ActiveOrders active;

    private Billing() {}

    static int open() {
        return active.items.size();
    }
}

/** Runs six transactions a second. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        Checkout.active = new ActiveOrders();
        Shipping.active = Checkout.active;
        Billing.active = Checkout.active;
        long transactions = 0;
        // A Book stays for half a second: long enough to be seen by a capture, never long enough to pile up.
        Book[] open = new Book[3];
        while (pace.running()) {
            for (; transactions < pace.due(6); transactions++) {
                int slot = (int) (transactions % open.length);
                if (open[slot] != null) {
                    Shipping.complete(open[slot]);
                }
                open[slot] = Checkout.buy(transactions);
            }
            pace.pause();
        }
        System.out.printf("orders: %d transactions, %d items still active%n", transactions, Billing.open());
    }
}
