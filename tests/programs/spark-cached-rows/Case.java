import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** Spark in local mode with three million records cached as objects (some 20 million objects), queried by small jobs two or three a second;
 *  each job has a broadcast of its own that is destroyed, each tenth persists a result and unpersists it. What the UI keeps is limited. */
public class Case {
    public static final class Visit implements Serializable {
        final String user, page; final Long at; final double weight;
        Visit(long i) { user = "user " + i % 400_000; page = "/page/" + i % 9000; at = i; weight = i % 17; }
    }
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        SparkConf conf = new SparkConf().setMaster("local[2]").setAppName("visits").set("spark.ui.enabled", "false").set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1").set("spark.ui.retainedJobs", "20").set("spark.ui.retainedStages", "20").set("spark.ui.retainedTasks", "100")
            .set("spark.local.dir", System.getProperty("case.tmp"));
        JavaSparkContext sc = new JavaSparkContext(conf);
        sc.setLogLevel("ERROR");
        List<Integer> seeds = IntStream.range(0, 60).boxed().collect(Collectors.toList());
        JavaRDD<Visit> visits = sc.parallelize(seeds, 4).flatMap(s -> IntStream.range(0, 50_000).mapToObj(i -> new Visit(s * 50_000L + i)).iterator()).persist(StorageLevel.MEMORY_ONLY());
        System.out.println("cached " + visits.count() + " after " + (System.nanoTime() - start) / 1_000_000_000);
        double[] history = new double[100];
        int n = 0;
        while (System.nanoTime() < end) {
            long began = System.nanoTime();
            int[] wanted = IntStream.range(n * 10, n * 10 + 200).map(i -> i % 9000).toArray();
            Broadcast<int[]> b = sc.broadcast(wanted);
            JavaRDD<Tuple2<String, Double>> hits = visits.filter(v -> v.at % 40 == 3 && Arrays.binarySearch(b.value(), (int) (v.at % 9000)) >= 0).map(v -> new Tuple2<>(v.user, v.weight));
            if (n % 10 == 0) hits.persist(StorageLevel.MEMORY_ONLY());
            history[n % 100] = hits.mapToDouble(t -> t._2).sum();
            if (n % 10 == 0) { history[n % 100] += hits.count(); hits.unpersist(true); }
            b.destroy();
            n++;
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth jobs " + (told - start) / 1_000_000 / 1000.0 + " " + n);
            }
            Thread.sleep(Math.max(0, 400 - (System.nanoTime() - began) / 1_000_000));
        }
        System.out.println("jobs " + n + " " + Arrays.stream(history).sum());
        System.exit(0);
    }
}
