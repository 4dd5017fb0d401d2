// A hash table as people write it themselves: an array of chains that is rebuilt when it gets too full. No analysis can
// know these classes by name.
package userhash;

import pace.Pace;

final class Symbol {
    final String name;
    Symbol chained;

    Symbol(String name, Symbol chained) {
        this.name = name;
        this.chained = chained;
    }
}

final class SymbolTable {
    private Symbol[] chains = new Symbol[16];
    int used;

    void intern(String name) {
        if (used >= chains.length) {
            rehash();
        }
        int slot = name.hashCode() & (chains.length - 1);
        chains[slot] = new Symbol(name, chains[slot]);
        used++;
    }

    /** Moves the chains into an array twice as long; the symbols themselves stay. */
    private void rehash() {
        Symbol[] longer = new Symbol[2 * chains.length];
        for (Symbol head : chains) {
            for (Symbol symbol = head; symbol != null; ) {
                Symbol rest = symbol.chained;
                int slot = symbol.name.hashCode() & (longer.length - 1);
                symbol.chained = longer[slot];
                longer[slot] = symbol;
                symbol = rest;
            }
        }
        chains = longer;
    }
}

/** Interns seven symbols a second. */
public final class Main {
    static final SymbolTable symbols = new SymbolTable();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        while (pace.running()) {
            while (symbols.used < pace.due(7)) {
                symbols.intern("symbol" + symbols.used);
            }
            pace.pause();
        }
        System.out.printf("userhash: %d symbols%n", symbols.used);
    }
}
