// A hand-written trie: each node has an array of its children, so that members hang from arrays of members.
package trie;

import pace.Pace;

final class Letter {
    final Letter[] next = new Letter[8];
    boolean endsWord;
}

/** Words over an alphabet of eight letters. */
final class Dictionary {
    private final Letter top = new Letter();
    int letters;

    /** Learns the word whose letters are the octal digits of {@code number}, the lowest first. */
    void learn(long number) {
        Letter at = top;
        for (long rest = number; rest > 0; rest /= 8) {
            int letter = (int) (rest % 8);
            if (at.next[letter] == null) {
                at.next[letter] = new Letter();
                letters++;
            }
            at = at.next[letter];
        }
        at.endsWord = true;
    }
}

/** Learns words until ten letters a second have been added. */
public final class Main {
    static final Dictionary dictionary = new Dictionary();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long words = 0;
        while (pace.running()) {
            while (dictionary.letters < pace.due(10)) {
                dictionary.learn(++words);
            }
            pace.pause();
        }
        System.out.printf("trie: %d words, %d letters%n", words, dictionary.letters);
    }
}
