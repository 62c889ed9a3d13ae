package io.polytable.hbase.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;

/**
 * A ZooKeeper server in this process, for clients that discover HBase by it. Everything in it is published again at
 * every start, so the files of an earlier run are removed.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 2_000;
    private static final int CONNECTIONS_PER_HOST_MAX = 1_000;
    private static final int CONNECTIONS_MAX = 4_000;
    private static final int BACKLOG = 128;
    private static final long LOG_STEP_BYTES = 64 << 10;

    private final ZooKeeperServer server;
    private final NIOServerCnxnFactory connections;

    private EmbeddedZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
        this.server = server;
        this.connections = connections;
    }

    /** Accepts connections when this returns. */
    public static EmbeddedZooKeeper start(Path directory, InetSocketAddress address) throws IOException {
        remove(directory);
        Files.createDirectories(directory);
        // Otherwise its log would preallocate 64 MB for a handful of znodes.
        FileTxnLog.setPreallocSize(LOG_STEP_BYTES);
        // The limit can be set only by this property, and the default is unlimited.
        System.setProperty("zookeeper.maxCnxns", Integer.toString(CONNECTIONS_MAX));
        ZooKeeperServer server = new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS);
        NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
        try {
            connections.configure(address, CONNECTIONS_PER_HOST_MAX, BACKLOG, false);
            connections.startup(server, true);
            return new EmbeddedZooKeeper(server, connections);
        } catch (InterruptedException stopping) {
            connections.shutdown();
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while ZooKeeper started", stopping);
        } catch (IOException | RuntimeException failed) {
            connections.shutdown();
            throw failed;
        }
    }

    private static void remove(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        }
    }

    public int port() {
        return connections.getLocalPort();
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown(true);
    }
}
