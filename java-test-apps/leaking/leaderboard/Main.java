// The skip list of the JDK: nodes in one chain, towers of index objects above it.
package leaderboard;

import java.util.concurrent.ConcurrentSkipListMap;
import pace.Pace;

final class Player {
    final long number;

    Player(long number) {
        this.number = number;
    }
}

/** Nine players a second enter the board, anywhere. */
public final class Main {
    static final ConcurrentSkipListMap<Long, Player> board = new ConcurrentSkipListMap<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long players = 0;
        while (pace.running()) {
            for (; players < pace.due(9); players++) {
                board.put(players * 0x9E3779B97F4A7C15L, new Player(players));
            }
            pace.pause();
        }
        System.out.printf("leaderboard: %d players%n", board.size());
    }
}
