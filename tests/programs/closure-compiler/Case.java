import com.google.javascript.jscomp.CompilationLevel;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A minifying service on the Closure compiler: each request compiles one script of its own in advanced mode; the last 300 results are kept. */
public class Case {
    static final Map<String, String> results = new LinkedHashMap<String, String>(16, .75f, true) {
        @Override protected boolean removeEldestEntry(Map.Entry<String, String> e) { return size() > 300; }
    };
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        int n = 0;
        long size = 0;
        while (System.nanoTime() < end) {
            long began = System.nanoTime();
            StringBuilder s = new StringBuilder("/** @constructor */ function Shop" + n + "() { this.items" + n + " = []; }\n");
            for (int i = 0; i < 40; i++)
                s.append("Shop").append(n).append(".prototype.op").append(n).append('_').append(i).append(" = function(a, b) { var t").append(n).append(" = a * ").append(i + n)
                 .append("; if (b) { this.items").append(n).append(".push('text ").append(n).append('-').append(i).append("'); } return t").append(n).append(" + b; };\n");
            s.append("window['run'] = function(x) { var s = new Shop").append(n).append("(); return s.op").append(n).append("_3(x, 4) + s.op").append(n).append("_7(x, 5); };");
            Compiler c = new Compiler(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
            c.disableThreads();
            CompilerOptions o = new CompilerOptions();
            CompilationLevel.ADVANCED_OPTIMIZATIONS.setOptionsForCompilationLevel(o);
            List<SourceFile> in = new ArrayList<>(), ext = new ArrayList<>();
            in.add(SourceFile.fromCode("input" + n + ".js", s.toString()));
            ext.add(SourceFile.fromCode("externs.js", "/** @type {?} */ var window;"));
            c.compile(ext, in, o);
            String out = c.toSource();
            results.put("input" + n + ".js", out);
            size += out.length();
            n++;
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth compiled " + (told - start) / 1_000_000 / 1000.0 + " " + n);
            }
            Thread.sleep(Math.max(0, 120 - (System.nanoTime() - began) / 1_000_000));
        }
        System.out.println("compiled " + n + " chars " + size);
        System.exit(0);
    }
}
