import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import rootbound.junit.GrowthOptions;
import rootbound.junit.MemoryAssertions;

/** Leaks of real libraries and programs as scenarios: each is found. Prints what each search finds. */
public class Leaking {
    static final class Order {
        final long number;

        Order(long number) {
            this.number = number;
        }
    }

    /** A small B+-tree on long keys, filled in key order. */
    static final class OrderIndex {
        static final int WIDTH = 16;
        Node root = new Node(0);

        static final class Node {
            final long[] keys = new long[WIDTH];
            final Object[] kids = new Object[WIDTH];
            final int level;
            int count;

            Node(int level) {
                this.level = level;
            }
        }

        void append(long key, Object value) {
            Node beside = append(root, key, value);
            if (beside != null) {
                Node above = new Node(root.level + 1);
                above.keys[0] = root.keys[0];
                above.kids[0] = root;
                above.keys[1] = beside.keys[0];
                above.kids[1] = beside;
                above.count = 2;
                root = above;
            }
        }

        private Node append(Node node, long key, Object value) {
            Object kid = value;
            if (node.level > 0) {
                kid = append((Node) node.kids[node.count - 1], key, value);
                if (kid == null) {
                    return null;
                }
            }
            Node to = node.count < WIDTH ? node : new Node(node.level);
            to.keys[to.count] = key;
            to.kids[to.count++] = kid;
            return to == node ? null : to;
        }
    }

    /** Orders leave the queue, and stay in the index (SPECjbb2000, in the Cork paper). */
    static final class District {
        final OrderIndex orders = new OrderIndex();
        final ArrayDeque<Order> fresh = new ArrayDeque<>();

        void order(long number) {
            Order order = new Order(number);
            orders.append(number, order);
            fresh.add(order);
            while (fresh.size() > 2) {
                fresh.poll();
            }
        }
    }

    public static class Shop extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            request.getSession(true).setAttribute("cart", new long[16]);
            response.getWriter().print("ok");
        }
    }

    static long number;

    public static void main(String[] arguments) throws Exception {
        District district = new District();
        search("order index", () -> {
            district.order(number++);
            return null;
        });
        DefaultHttpDataFactory factory = new DefaultHttpDataFactory(true);
        search("Netty disk attributes", () -> decode(factory));
        LocalConnector local = jetty();
        search("Jetty sessions", () -> local.getResponse(
                "GET /item" + number++ + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        ZooKeeper zookeeper = zookeeper(Files.createTempDirectory("zookeeper").toFile());
        search("ZooKeeper watches", () -> {
            String path = "/barrier/job-" + number++;
            return zookeeper.exists(path, new Barrier(path));
        });
        System.exit(0);
    }

    /** Most barriers never come, so the watch stays, on both sides. */
    static final class Barrier implements Watcher {
        final String path;

        Barrier(String path) {
            this.path = path;
        }

        @Override
        public void process(WatchedEvent event) {
        }
    }

    static ZooKeeper zookeeper(File folder) throws Exception {
        ZooKeeperServer server = new ZooKeeperServer(folder, folder, 2000);
        NIOServerCnxnFactory factory = new NIOServerCnxnFactory();
        factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        factory.startup(server);
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper("127.0.0.1:" + factory.getLocalPort(), 20000, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        connected.await();
        client.create("/barrier", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        return client;
    }

    static void search(String name, Callable<?> scenario) {
        System.out.println("== " + name);
        System.out.println(MemoryAssertions.findGrowth(scenario, GrowthOptions.defaults().repeats(5).warmUps(4)));
    }

    /** The files are deleted after each request, and their names stay in the JDK's list for its end. */
    static Object decode(DefaultHttpDataFactory factory) {
        String body = "user=u" + number + "&page=" + number++ % 100;
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/form",
                Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        request.headers().set("Content-Type", "application/x-www-form-urlencoded");
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(factory, request);
        try {
            return decoder.getBodyHttpDatas().size();
        } finally {
            decoder.destroy();
            factory.cleanRequestHttpData(request);
            request.release();
        }
    }

    static LocalConnector jetty() throws Exception {
        Server server = new Server();
        LocalConnector local = new LocalConnector(server);
        server.addConnector(local);
        ServletContextHandler shop = new ServletContextHandler(server, "/", ServletContextHandler.SESSIONS);
        shop.addServlet(new ServletHolder(new Shop()), "/*");
        server.start();
        return local;
    }
}
