// A large state that gains little: 3,000 connections with 60 open requests each, and one more request a minute or so that
// is never answered. Beside them brief connections with as many requests come and go, far more than what leaks.
package connections;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import pace.Pace;

/** Waits for an answer. */
final class Request {
    final long number;

    Request(long number) {
        this.number = number;
    }
}

/** A peer, and the requests that it was sent. */
final class Connection {
    final Map<Long, Request> open = new HashMap<>();

    Connection(long from) {
        for (long number = from; number < from + 60; number++) {
            open.put(number, new Request(number));
        }
    }
}

/** Forgets one answer in each round over all connections. */
public final class Main {
    static final List<Connection> lasting = new ArrayList<>();
    static final ArrayDeque<Connection> brief = new ArrayDeque<>();

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        for (int count = 0; count < 3_000; count++) {
            lasting.add(new Connection(0));
        }
        for (int count = 0; count < 240; count++) {
            brief.add(new Connection(0));
        }
        long forgotten = 0;
        long guests = 0;
        while (pace.running()) {
            for (; forgotten < pace.due(50); forgotten++) {
                long number = 1_000 + forgotten;
                lasting.get((int) (forgotten % lasting.size())).open.put(number, new Request(number));
            }
            for (; guests < pace.due(24); guests++) {
                brief.remove();
                brief.add(new Connection(0));
            }
            pace.pause();
        }
        System.out.printf("connections: %d requests without an answer, %d guests%n", forgotten, guests);
    }
}
