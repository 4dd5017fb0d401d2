import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import groovy.lang.Script;
import java.util.LinkedHashMap;
import java.util.Map;

/** A rule engine: formulas come as texts. Those of the 300 usual ones are parsed once and kept; others, three a second, are evaluated once in the
 *  one GroovyShell. Its class loader keeps each class. */
public class Case {
    static final Map<String, Script> usual = new LinkedHashMap<String, Script>(16, .75f, true) {
        @Override protected boolean removeEldestEntry(Map.Entry<String, Script> e) { return size() > 300; }
    };
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        GroovyShell shell = new GroovyShell(), fixed = new GroovyShell();
        for (int i = 0; i < 300; i++) usual.put("rule" + i, fixed.parse("def total = price * " + i + "; total > 100 ? [total, 'big'] : [total, 'small']", "Rule" + i + ".groovy"));
        int n = 0;
        long sum = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 50; i++) {
                Script s = usual.get("rule" + (n * 50 + i) % 300);
                s.setBinding(new Binding(new LinkedHashMap<>(Map.of("price", n % 100))));
                sum += ((java.util.List<?>) s.run()).size();
            }
            shell.setVariable("price", n % 77);
            Object x = shell.evaluate("def f = { it * " + n + " + price }; [1, 2, 3].collect(f).sum()");
            sum += ((Number) x).longValue();
            n++;
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth scripts " + (told - start) / 1_000_000 / 1000.0 + " " + n);
            }
            Thread.sleep(300);
        }
        System.out.println("scripts " + n + " sum " + sum);
        System.exit(0);
    }
}
