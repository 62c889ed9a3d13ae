package io.polytable.hbase.zookeeper.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.polytable.frontend.net.Network;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.Await;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Discovery beside ZooKeeper's own client, and beside input that no client sends. */
// ZooKeeper's client may be interrupted while it closes.
@SuppressWarnings("try")
class DiscoveryServerTest {
    /** Runs until the JVM ends. */
    private static final Network NETWORK = new Network();

    private static final int SESSION_MILLIS = 30_000;

    private DiscoveryServer server;

    @BeforeEach
    void start() throws IOException {
        server = started(0);
        server.publish(nodes("a", "1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static DiscoveryServer started(int port) throws IOException {
        return DiscoveryServer.start(
                NETWORK,
                "zookeeper",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                InstantSource.system());
    }

    private static SortedMap<String, Bytes> nodes(String name, String content) {
        return new TreeMap<>(Map.of("/hbase", Bytes.EMPTY, "/hbase/" + name, Bytes.utf8(content)));
    }

    private ZooKeeper client(List<String> events) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper("127.0.0.1:" + server.port(), SESSION_MILLIS, event -> {
            connected.countDown();
            if (event.getType() != EventType.None) {
                events.add(event.getType() + " " + event.getPath());
            }
        });
        Await.opened(connected);
        return client;
    }

    @Test
    void nodesAreReadWithTheirStates() throws Exception {
        try (ZooKeeper client = client(new CopyOnWriteArrayList<>())) {
            Stat stat = new Stat();
            assertThat(text(client.getData("/hbase/a", false, stat))).isEqualTo("1");
            assertThat(stat.getDataLength()).isEqualTo(1);
            assertThat(stat.getVersion()).isZero();
            assertThat(client.getChildren("/", false)).containsExactly("hbase");
            assertThat(client.getChildren("/hbase", false, stat)).containsExactly("a");
            assertThat(stat.getNumChildren()).isEqualTo(1);
            assertThat(client.exists("/hbase/none", false)).isNull();
            assertThatThrownBy(() -> client.getData("/hbase/none", false, new Stat()))
                    .isInstanceOf(KeeperException.NoNodeException.class);
            assertThat(client.getACL("/hbase", new Stat())).isEqualTo(ZooDefs.Ids.READ_ACL_UNSAFE);
        }
    }

    @Test
    void nobodyWrites() throws Exception {
        try (ZooKeeper client = client(new CopyOnWriteArrayList<>())) {
            // Whoever a client says it is.
            client.addAuthInfo("digest", "polytable:guessed".getBytes(StandardCharsets.UTF_8));
            byte[] content = {1};
            assertThatThrownBy(() -> client.create("/x", content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(
                            () -> client.create("/hbase/x", content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> client.setData("/hbase/a", content, -1))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> client.delete("/hbase/a", -1)).isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> client.setACL("/", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> client.multi(List.of(Op.delete("/hbase/a", -1))))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThat(text(client.getData("/hbase/a", false, new Stat()))).isEqualTo("1");
        }
    }

    @Test
    void watchesFireOnce() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        try (ZooKeeper client = client(events)) {
            client.getData("/hbase/a", true, new Stat());
            client.exists("/hbase/b", true);
            client.getChildren("/hbase", true);
            server.publish(nodes("a", "2"));
            Await.until("the content changed", () -> events.contains("NodeDataChanged /hbase/a"));
            server.publish(nodes("b", "3"));
            Await.until("all have fired", () -> events.size() == 3);
            server.publish(nodes("c", "4"));
            // Comes after any event of the last change.
            assertThat(client.getChildren("/hbase", false)).containsExactly("c");
            assertThat(events)
                    .containsExactlyInAnyOrder(
                            "NodeDataChanged /hbase/a", "NodeCreated /hbase/b", "NodeChildrenChanged /hbase");
        }
    }

    /** The client comes back with its session and its watches, and is notified of what it missed. */
    @Test
    void clientsSurviveARestart() throws Exception {
        List<String> events = new CopyOnWriteArrayList<>();
        int port = server.port();
        try (ZooKeeper client = client(events)) {
            client.getData("/hbase/a", true, new Stat());
            long session = client.getSessionId();
            server.close();
            server = started(port);
            server.publish(nodes("a", "2"));
            Await.until("the client is notified", () -> events.contains("NodeDataChanged /hbase/a"));
            assertThat(client.getSessionId()).isEqualTo(session);
            assertThat(text(client.getData("/hbase/a", false, new Stat()))).isEqualTo("2");
        }
    }

    @Test
    void watchesHaveALimit() throws Exception {
        try (ZooKeeper client = client(new CopyOnWriteArrayList<>())) {
            String name = "/" + "x".repeat(10_000);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            client.exists(name + i, true);
                        }
                    })
                    .isInstanceOfSatisfying(
                            KeeperException.class,
                            refused -> assertThat(refused.code()).isEqualTo(KeeperException.Code.THROTTLEDOP));
        }
        // They end with the connection.
        try (ZooKeeper client = client(new CopyOnWriteArrayList<>())) {
            Await.until("a watch is possible again", () -> {
                try {
                    return client.exists("/hbase/a", true) != null;
                } catch (KeeperException full) {
                    return false;
                }
            });
        }
    }

    @Test
    void malformedInputIsOneLineOfTheLog() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(lines);
        try {
            Random random = new Random(1);
            for (int i = 0; i < 300; i++) {
                byte[] garbage = new byte[random.nextInt(2_000)];
                random.nextBytes(garbage);
                send(garbage);
            }
            send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            send(ByteBuffer.allocate(4).putInt(-1).array());
            send(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());
            for (int type = -20; type < 120; type++) {
                sendAfterHandshake(type, random);
            }
        } finally {
            root.detachAppender(lines);
        }
        List<ILoggingEvent> ofServer = lines.list.stream()
                .filter(line -> line.getLoggerName().contains("zookeeper"))
                .toList();
        assertThat(ofServer).hasSize(1);
        assertThat(ofServer.get(0).getThrowableProxy()).isNull();
        nodesAreReadWithTheirStates();
    }

    /** Returns when the server has closed the connection, or when it waits for more. */
    private void send(byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            drain(socket);
        }
    }

    private static void drain(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            assertThat(reset).isNotNull();
        }
    }

    private void sendAfterHandshake(int type, Random random) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.write(ByteBuffer.allocate(49)
                    .putInt(45)
                    .putInt(0)
                    .putLong(0)
                    .putInt(SESSION_MILLIS)
                    .putLong(0)
                    .putInt(16)
                    .array());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readNBytes(in.readInt());
            byte[] body = new byte[random.nextInt(200)];
            random.nextBytes(body);
            out.write(ByteBuffer.allocate(12 + body.length)
                    .putInt(8 + body.length)
                    .putInt(1)
                    .putInt(type)
                    .put(body)
                    .array());
            socket.shutdownOutput();
            drain(socket);
        }
    }

    @Test
    void aReportCountsWhatItLeftOut() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger logger = (Logger) LoggerFactory.getLogger(DiscoveryServer.class);
        logger.addAppender(lines);
        try {
            AtomicLong nanos = new AtomicLong();
            RefusalLog log = new RefusalLog(nanos::get);
            for (int i = 0; i < 100; i++) {
                log.closed(null, "malformed request");
            }
            nanos.addAndGet(61_000_000_000L);
            log.closed(null, "malformed request");
            assertThat(lines.list).hasSize(2);
            assertThat(lines.list.get(1).getFormattedMessage()).contains("99 others");
        } finally {
            logger.detachAppender(lines);
        }
    }

    private static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }
}
