import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Random;
import org.h2.jdbcx.JdbcConnectionPool;

/** A big table in H2's memory (MVStore) under point queries and updates through H2's own pool. From the 25th second on, an audit
 *  opens a connection of its own for every 20th order and keeps it until the order is closed, which never comes to pass;
 *  H2's Database keeps the session. */
public class Case {
    static final java.util.Map<Long, Connection> audits = new java.util.HashMap<>();
    static final int ROWS = 1_600_000;
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "sa", "");
        pool.setMaxConnections(4);
        try (Connection c = pool.getConnection(); Statement s = c.createStatement()) {
            s.execute("create table orders(id int primary key, customer varchar(40), item varchar(40), amount int)");
            c.setAutoCommit(false);
            PreparedStatement p = c.prepareStatement("insert into orders values(?,?,?,?)");
            for (int i = 0; i < ROWS; i++) {
                p.setInt(1, i); p.setString(2, "customer " + i % 99991); p.setString(3, "item " + i); p.setInt(4, i % 1000);
                p.addBatch();
                if (i % 2000 == 1999) { p.executeBatch(); c.commit(); }
            }
            c.commit();
            c.setAutoCommit(true);
        }
        System.out.println("loaded after " + (System.nanoTime() - start) / 1_000_000_000);
        Random r = new Random(3);
        long n = 0, sum = 0;
        int open = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 10; i++, n++) {
                try (Connection c = pool.getConnection();
                     PreparedStatement q = c.prepareStatement("select amount from orders where id = ?");
                     PreparedStatement u = c.prepareStatement("update orders set amount = ?, item = ? where id = ?")) {
                    int id = r.nextInt(ROWS);
                    q.setInt(1, id);
                    try (ResultSet x = q.executeQuery()) { x.next(); sum += x.getInt(1); }
                    u.setInt(1, (int) (n % 1000)); u.setString(2, "sold " + n); u.setInt(3, id);
                    u.executeUpdate();
                }
                if (n % 20 == 0 && System.nanoTime() - start > 25_000_000_000L) {
                    Connection audit = DriverManager.getConnection("jdbc:h2:mem:shop", "sa", "");
                    try (Statement s = audit.createStatement(); ResultSet x = s.executeQuery("select customer from orders where id = " + r.nextInt(ROWS))) { x.next(); }
                    audits.put(n, audit);
                    open++;
                }
            }
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth open " + (told - start) / 1_000_000 / 1000.0 + " " + open);
            }
            Thread.sleep(50);
        }
        System.out.println("orders " + n + " open " + open + " sum " + sum);
        System.exit(0);
    }
}
