import java.io.StringReader;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.Serializer;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XsltExecutable;
import net.sf.saxon.s9api.Xslt30Transformer;

/** A transformation service: one Saxon processor and one compiled stylesheet; each document has element names made of its customer's number.
 *  The processor's name pool keeps every name. The last 200 results are kept. */
public class Case {
    static final Map<Integer, String> last = new LinkedHashMap<Integer, String>() {
        @Override protected boolean removeEldestEntry(Map.Entry<Integer, String> e) { return size() > 200; }
    };
    public static void main(String[] a) throws Exception {
        long start = System.nanoTime(), end = start + Long.getLong("case.seconds", 180) * 1_000_000_000L, told = start;
        Processor p = new Processor(false);
        XsltExecutable x = p.newXsltCompiler().compile(new StreamSource(new StringReader("<xsl:stylesheet version='2.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
            + "<xsl:template match='/*'><out n='{name()}'><xsl:for-each select='*'><xsl:sort select='@v'/><i><xsl:value-of select='concat(name(), \" \", @v)'/></i></xsl:for-each></out></xsl:template></xsl:stylesheet>")));
        int n = 0;
        long names = 0;
        while (System.nanoTime() < end) {
            StringBuilder b = new StringBuilder("<doc>");
            for (int i = 0; i < 40; i++) b.append("<item").append(i % 20).append(" v='").append(n * 31 % 101 + i).append("'/>");
            for (int i = 0; i < 2; i++) { b.append("<customer-").append(n).append('-').append(i).append(" v='").append(i).append("'/>"); names++; }
            XdmNode doc = p.newDocumentBuilder().build(new StreamSource(new StringReader(b.append("</doc>").toString())));
            StringWriter w = new StringWriter();
            Xslt30Transformer t = x.load30();
            Serializer s = p.newSerializer(w);
            t.applyTemplates(doc, s);
            last.put(n++, w.toString());
            if (System.nanoTime() - told > 3_000_000_000L) {
                told = System.nanoTime();
                System.out.println("truth names " + (told - start) / 1_000_000 / 1000.0 + " " + names);
            }
            Thread.sleep(50);
        }
        System.out.println("documents " + n);
        System.exit(0);
    }
}
