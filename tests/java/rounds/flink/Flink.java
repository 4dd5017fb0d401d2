import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.DiscardingSink;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryAssertions;

/**
 * A batch job in a local environment as a scenario: each job starts a mini cluster and shuts it down, and the hook for
 * the JVM's end that keeps its results stays (FLINK-35737). Prints what the search finds.
 */
public class Flink {
    private static final int DIFFERENT = 500;

    public static void main(String[] arguments) throws Exception {
        System.out.println("== Flink jobs");
        System.out.println(MemoryAssertions.findGrowth(() -> job(), GrowthOptions.defaults().repeats(1).rounds(4)));
        System.out.flush();
        System.exit(0);
    }

    static Object job() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(32));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(8));
        configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(8));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
        environment.fromSequence(1, 10_000)
                .map(number -> Tuple2.of(number % DIFFERENT, "value " + number))
                .returns(Types.TUPLE(Types.LONG, Types.STRING))
                .keyBy(pair -> pair.f0)
                .reduce((left, right) -> left.f1.compareTo(right.f1) < 0 ? left : right)
                .addSink(new DiscardingSink<>());
        return environment.execute("job").getNetRuntime();
    }
}
