// A pool of connections, borrowed and returned all the time; the buffers are new after each use, the pool's size is fixed.
package objectpool;

import java.util.ArrayDeque;
import pace.Pace;

final class Connection {
    byte[] buffer = new byte[256];

    void use() {
        buffer = new byte[256];
    }
}

final class Pool {
    final ArrayDeque<Connection> idle = new ArrayDeque<>();

    Pool(int size) {
        for (int i = 0; i < size; i++) {
            idle.addLast(new Connection());
        }
    }
}

/** Serves a hundred requests a second with forty connections. */
public final class Main {
    static final Pool pool = new Pool(40);

    private Main() {}

    public static void main(String[] args) {
        Pace pace = new Pace();
        long requests = 0;
        while (pace.running()) {
            for (; requests < pace.due(100); requests++) {
                Connection connection = pool.idle.removeFirst();
                connection.use();
                pool.idle.addLast(connection);
            }
            pace.pause();
        }
        System.out.printf("objectpool: %d requests, %d connections%n", requests, pool.idle.size());
    }
}
