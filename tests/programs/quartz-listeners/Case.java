import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.matchers.KeyMatcher;
import org.quartz.listeners.JobListenerSupport;

/** A job service on Quartz' RAMJobStore: 20 one-shot jobs a second, each done within two seconds and gone from the store. From the 20th
 *  second on every third job gets a listener of its own name for its result, which nobody takes out of the ListenerManager. 200 cron-like
 *  jobs fire all the time. */
public class Case {
    static final AtomicLong ran = new AtomicLong();
    public static final class Work implements Job {
        @Override public void execute(JobExecutionContext x) { ran.incrementAndGet(); x.setResult(new byte[100]); }
    }
    static final class Result extends JobListenerSupport {
        final String name; byte[] result;
        Result(String n) { name = n; }
        @Override public String getName() { return name; }
        @Override public void jobWasExecuted(JobExecutionContext x, org.quartz.JobExecutionException e) { result = (byte[]) x.getResult(); }
    }
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        Properties p = new Properties();
        p.setProperty("org.quartz.threadPool.threadCount", "3");
        p.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        p.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        Scheduler s = new StdSchedulerFactory(p).getScheduler();
        s.start();
        for (int i = 0; i < 200; i++)
            s.scheduleJob(JobBuilder.newJob(Work.class).withIdentity("fixed" + i, "fixed").build(),
                TriggerBuilder.newTrigger().withIdentity("fixed" + i, "fixed").withSchedule(SimpleScheduleBuilder.repeatSecondlyForever(4)).build());
        long n = 0, left = 0;
        while (System.nanoTime() < end) {
            JobKey k = JobKey.jobKey("order-" + n, "orders");
            JobDetail d = JobBuilder.newJob(Work.class).withIdentity(k).usingJobData("order", n).build();
            Trigger t = TriggerBuilder.newTrigger().withIdentity("order-" + n, "orders").startAt(new java.util.Date(System.currentTimeMillis() + 1500)).build();
            if (n % 3 == 0 && System.nanoTime() - start > 20_000_000_000L) {
                s.getListenerManager().addJobListener(new Result("result-" + n), KeyMatcher.keyEquals(k));
                left++;
            }
            s.scheduleJob(d, t);
            n++;
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth listeners " + (told - start) / 1_000_000 / 1000.0 + " " + left);
            }
            Thread.sleep(50);
        }
        System.out.println("jobs " + n + " ran " + ran + " listeners " + left);
        System.exit(0);
    }
}
