import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** A report service on Spark SQL in local mode beside a big map of its own: every second report caches its input (a new plan each time) and
 *  never unpersists it. CacheManager keeps the plan, the memory store the block. */
public class Case {
    static final class Customer { final String name, town; final long since; Customer(int i) { name = "customer " + i; town = "town " + i % 977; since = i; } }
    static final java.util.HashMap<Integer, Customer> customers = new java.util.HashMap<>();

    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        for (int i = 0; i < 1_500_000; i++) customers.put(i, new Customer(i));
        SparkSession spark = SparkSession.builder().master("local[2]").appName("reports").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1").config("spark.ui.retainedJobs", "20").config("spark.ui.retainedStages", "20").config("spark.ui.retainedTasks", "100")
            .config("spark.sql.ui.retainedExecutions", "20").config("spark.sql.shuffle.partitions", "2").config("spark.local.dir", System.getProperty("case.tmp"))
            .config("spark.sql.warehouse.dir", System.getProperty("case.tmp") + "/wh").getOrCreate();
        spark.sparkContext().setLogLevel("ERROR");
        int n = 0, cached = 0;
        long sum = 0;
        while (System.nanoTime() < end) {
            long began = System.nanoTime();
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 200; i++) ids.add((n * 7919L + i * 31) % 1_500_000);
            Dataset<Row> in = spark.createDataset(ids, Encoders.LONG()).toDF("id").withColumn("part", functions.col("id").mod(functions.lit(10)));
            if (n % 2 == 0) { in = in.cache(); cached++; }
            for (Row r : in.groupBy("part").count().collectAsList()) sum += r.getLong(1);
            n++;
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth cached " + (told - start) / 1_000_000 / 1000.0 + " " + cached);
            }
            Thread.sleep(Math.max(0, 500 - (System.nanoTime() - began) / 1_000_000));
        }
        System.out.println("reports " + n + " cached " + cached + " " + sum);
        System.exit(0);
    }
}
