import java.io.Serializable;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** An order service on Hibernate 3.6 over H2 with statistics on: most queries have parameters, every fourth is put together with its values in the
 *  text. The plan cache is bounded, the statistics of queries are not. */
public class Case {
    public static class Item implements Serializable {
        private Long id; private String name; private int amount;
        public Long getId() { return id; } public void setId(Long i) { id = i; }
        public String getName() { return name; } public void setName(String n) { name = n; }
        public int getAmount() { return amount; } public void setAmount(int a) { amount = a; }
    }
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        Configuration c = new Configuration()
            .setProperty("hibernate.connection.url", "jdbc:h2:mem:items;DB_CLOSE_DELAY=-1").setProperty("hibernate.connection.driver_class", "org.h2.Driver")
            .setProperty("hibernate.connection.username", "sa").setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
            .setProperty("hibernate.hbm2ddl.auto", "create").setProperty("hibernate.generate_statistics", "true")
            .setProperty("hibernate.query.plan_cache_max_soft_references", "128").setProperty("hibernate.query.plan_cache_max_strong_references", "64")
            .setProperty("hibernate.bytecode.use_reflection_optimizer", "false");
        c.addXML("<?xml version='1.0'?><!DOCTYPE hibernate-mapping PUBLIC '-//Hibernate/Hibernate Mapping DTD 3.0//EN' 'http://www.hibernate.org/dtd/hibernate-mapping-3.0.dtd'>"
            + "<hibernate-mapping><class name='Case$Item' table='items' lazy='false'><id name='id'><generator class='increment'/></id><property name='name'/><property name='amount'/></class></hibernate-mapping>");
        SessionFactory f = c.buildSessionFactory();
        Session l = f.openSession();
        l.beginTransaction();
        for (int k = 0; k < 2000; k++) { Item i = new Item(); i.setName("item " + k); i.setAmount(k % 90); l.save(i); }
        l.getTransaction().commit();
        l.close();
        int n = 0;
        long sum = 0, texts = 0;
        while (System.nanoTime() < end) {
            Session s = f.openSession();
            try {
                s.beginTransaction();
                for (int k = 0; k < 3; k++)
                    sum += s.createQuery("from Case$Item i where i.amount = :a and i.name <> :n").setInteger("a", n % 90).setString("n", "item " + n).setMaxResults(20).list().size();
                sum += s.createQuery("from Case$Item i where i.name = 'item " + n + "' and i.amount < " + (n % 97)).list().size();
                texts++;
                s.getTransaction().commit();
            } finally { s.close(); }
            n++;
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth texts " + (told - start) / 1_000_000 / 1000.0 + " " + texts);
            }
            Thread.sleep(40);
        }
        System.out.println("texts " + texts + " known " + f.getStatistics().getQueries().length + " sum " + sum);
        System.exit(0);
    }
}
