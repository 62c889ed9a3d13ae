package io.polytable.hbase;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;

/** A real ZooKeeper server, as one that belongs to others. */
final class OutsideZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 2_000;
    private static final int CONNECTIONS_PER_HOST_MAX = 1_000;
    private static final int BACKLOG = 128;
    private static final long LOG_STEP_BYTES = 64 << 10;

    private final ZooKeeperServer server;
    private final NIOServerCnxnFactory connections;

    private OutsideZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
        this.server = server;
        this.connections = connections;
    }

    /** Accepts connections when this returns. */
    static OutsideZooKeeper start(Path directory, InetSocketAddress address) throws IOException {
        Files.createDirectories(directory);
        // Otherwise its log would preallocate 64 MB for a handful of znodes.
        FileTxnLog.setPreallocSize(LOG_STEP_BYTES);
        ZooKeeperServer server = new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS);
        NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
        try {
            connections.configure(address, CONNECTIONS_PER_HOST_MAX, BACKLOG, false);
            connections.startup(server, true);
            return new OutsideZooKeeper(server, connections);
        } catch (InterruptedException stopping) {
            connections.shutdown();
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while ZooKeeper started", stopping);
        } catch (IOException | RuntimeException failed) {
            connections.shutdown();
            throw failed;
        }
    }

    int port() {
        return connections.getLocalPort();
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown(true);
    }
}
