import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.CacheBuilder;
import com.google.gson.Gson;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import freemarker.template.Configuration;
import freemarker.template.Template;
import groovy.lang.GroovyShell;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.commons.collections4.map.LRUMap;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.jsoup.Jsoup;
import org.xml.sax.InputSource;
import rootbound.junit.Growth;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryAssertions;

/** Healthy operations of real libraries: none of them may be said to grow. Prints one line for each. */
public class Healthy {
    public static class Order {
        public int number = 7;
        public String customer = "Ann";
        public List<String> lines = new ArrayList<>(List.of("tea", "milk"));
    }

    public static class Hello extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            response.getWriter().print("hello " + request.getParameter("name"));
        }
    }

    static long number;
    static boolean failed;

    public static void main(String[] arguments) throws Exception {
        jsonAndTexts();
        data();
        caches();
        network();
        jdk();
        System.out.println(failed ? "FAILED" : "all healthy");
        System.exit(failed ? 1 : 0);
    }

    static void check(String name, Callable<?> operation) {
        Growth growth = MemoryAssertions.findGrowth(operation, GrowthOptions.defaults().warmUps(4));
        failed |= !growth.isEmpty();
        System.out.println((growth.isEmpty() ? "healthy " : "GROWS ") + name + " (" + growth.rounds() + ")");
        if (!growth.isEmpty()) {
            System.out.println(growth);
        }
    }

    static void jsonAndTexts() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        check("Jackson write", () -> mapper.writeValueAsString(new Order()));
        check("Jackson read", () -> mapper.readValue("{\"number\": " + number++ + ", \"customer\": \"B\"}", Order.class));
        Gson gson = new Gson();
        check("Gson round trip", () -> gson.fromJson(gson.toJson(new Order()), Order.class));
        check("jsoup parse", () -> Jsoup.parse("<p>number " + number++ + "<a href='/x'>x</a>").select("a").text());
        Configuration configuration = new Configuration(Configuration.VERSION_2_3_28);
        Template template = new Template("t", new StringReader("Hello ${name}"), configuration);
        check("FreeMarker template", () -> {
            StringWriter out = new StringWriter();
            template.process(Map.of("name", "n" + number++), out);
            return out;
        });
        GroovyShell shell = new GroovyShell();
        groovy.lang.Script script = shell.parse("x * 2 + [1, 2, 3].sum()");
        check("Groovy script", () -> {
            script.setProperty("x", (int) number++);
            return script.run();
        });
    }

    static void data() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(2);
        HikariDataSource pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute("create table orders (id bigint primary key, customer varchar(20))");
        }
        check("H2 transaction", () -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement("insert into orders values (?, 'Ann')")) {
                    insert.setLong(1, number++);
                    insert.executeUpdate();
                }
                connection.createStatement().execute("delete from orders");
                connection.commit();
            }
            return null;
        });
        check("HikariCP query", () -> {
            try (Connection connection = pool.getConnection();
                    ResultSet found = connection.createStatement().executeQuery("select count(*) from orders")) {
                return found.next();
            }
        });
        RAMDirectory directory = new RAMDirectory();
        check("Lucene index and search", () -> {
            IndexWriterConfig writing = new IndexWriterConfig(Version.LATEST, new WhitespaceAnalyzer());
            writing.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
            try (IndexWriter writer = new IndexWriter(directory, writing)) {
                Document document = new Document();
                document.add(new TextField("text", "tea and milk", Field.Store.YES));
                writer.addDocument(document);
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                return new IndexSearcher(reader).search(new TermQuery(new Term("text", "tea")), 5).totalHits;
            }
        });
    }

    static void caches() {
        com.github.benmanes.caffeine.cache.Cache<Long, String> caffeine =
                Caffeine.newBuilder().maximumSize(100).executor(Runnable::run).build();
        for (long key = 0; key < 300; key++) {
            caffeine.put(key, "v" + key);
        }
        caffeine.cleanUp();
        check("Caffeine cache", () -> {
            caffeine.put(number++, "value");
            caffeine.cleanUp();
            return null;
        });
        com.google.common.cache.Cache<Long, String> guava = CacheBuilder.newBuilder().maximumSize(16)
                .concurrencyLevel(1).build();
        for (long key = 0; key < 100; key++) {
            guava.put(key, "v" + key);
        }
        check("Guava cache", () -> {
            guava.put(number++, "value");
            return null;
        });
        LRUMap<Long, String> lru = new LRUMap<>(10);
        check("commons-collections LRU map", () -> lru.put(number++, "value"));
    }

    static void network() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(server, "/", ServletContextHandler.NO_SESSIONS);
        context.addServlet(new ServletHolder(new Hello()), "/*");
        server.start();
        String address = "http://127.0.0.1:" + connector.getLocalPort() + "/?name=n";
        check("Jetty request", () -> {
            HttpURLConnection connection = (HttpURLConnection) new URL(address + number++).openConnection();
            try (InputStream in = connection.getInputStream()) {
                return in.readAllBytes().length;
            }
        });
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        check("JDK HTTP client", () -> client.send(HttpRequest.newBuilder(URI.create(address + number++)).build(),
                HttpResponse.BodyHandlers.ofString()).body());
        server.stop();
        check("Netty pipeline", () -> {
            EmbeddedChannel channel = new EmbeddedChannel(new LineBasedFrameDecoder(100));
            channel.writeInbound(Unpooled.copiedBuffer("line " + number++ + "\n", StandardCharsets.UTF_8));
            ByteBuf line = channel.readInbound();
            line.release();
            return channel.finish();
        });
    }

    static void jdk() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        check("executor", () -> pool.submit(() -> number++).get());
        pool.shutdown();
        check("XML", () -> DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader("<a n='" + number++ + "'><b/></a>"))));
        check("gzip", () -> {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(("text " + number++).getBytes(StandardCharsets.UTF_8));
            }
            return new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes();
        });
        check("AES", () -> {
            Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"));
            return cipher.doFinal(("text " + number++).getBytes(StandardCharsets.UTF_8));
        });
        check("proxy", () -> ((Callable<?>) Proxy.newProxyInstance(Healthy.class.getClassLoader(),
                new Class<?>[] {Callable.class}, (proxy, method, values) -> number++)).call());
        check("format and regex", () -> String.format("%05d", number++).matches("[0-9]+"));
        check("stream", () -> Collections.nCopies(100, "x").parallelStream().map(each -> each + number).count());
    }
}
