package io.polytable.entity.hbase;

import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.CallTimeout;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ScanResultConsumer;

/**
 * A connection to a cluster with a time-out for every call. The URI's options are {@code znode} (the cluster's node in
 * ZooKeeper) and {@code timeout.millis}.
 */
final class HBaseCluster implements AutoCloseable {
    /** Creating and changing tables moves regions, which takes a real cluster seconds. */
    private static final long DEFINITION_TIMEOUTS = 6;

    private static final int CALLBACK_THREADS = 4;
    private static final int RETRIES = 10;
    private static final int ZOOKEEPER_RETRIES = 2;

    private final AsyncConnection connection;
    private final ExecutorService callbacks;
    private final int timeoutMillis;

    private HBaseCluster(AsyncConnection connection, ExecutorService callbacks, int timeoutMillis) {
        this.connection = connection;
        this.callbacks = callbacks;
        this.timeoutMillis = timeoutMillis;
    }

    static HBaseCluster connect(EntityUri uri) {
        int timeoutMillis = (int) CallTimeout.of(uri).toMillis();
        Configuration configuration = configuration(uri, timeoutMillis);
        CompletableFuture<AsyncConnection> opening = ConnectionFactory.createAsyncConnection(configuration);
        AsyncConnection connection;
        try {
            connection = Failures.join(opening, timeoutMillis);
        } catch (EntityException e) {
            // A connection that comes too late is closed.
            CompletableFuture<Void> unused = opening.thenAccept(HBaseCluster::closeQuietly);
            throw e;
        }
        AtomicInteger number = new AtomicInteger();
        ExecutorService callbacks = Executors.newFixedThreadPool(CALLBACK_THREADS, task -> {
            Thread thread = new Thread(task, "entity-hbase-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        return new HBaseCluster(connection, callbacks, timeoutMillis);
    }

    /** On top of an {@code hbase-site.xml} on the class path, where there is one. */
    private static Configuration configuration(EntityUri uri, int timeoutMillis) {
        Configuration configuration = HBaseConfiguration.create();
        configuration.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
        configuration.set(HConstants.ZOOKEEPER_QUORUM, String.join(",", uri.hosts()));
        configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, uri.portOrDefault());
        if (uri.options().containsKey("znode")) {
            configuration.set(HConstants.ZOOKEEPER_ZNODE_PARENT, uri.options().getOrDefault("znode", ""));
        }
        // Nonces: an increment that is sent again after a lost answer is applied once.
        configuration.setBoolean("hbase.client.nonces.enabled", true);
        configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
        configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, timeoutMillis);
        configuration.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, timeoutMillis);
        configuration.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, timeoutMillis);
        configuration.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, Math.max(1, timeoutMillis / 2));
        configuration.setInt("hbase.ipc.client.connection.timeout", Math.max(1, timeoutMillis / 2));
        configuration.setInt("zookeeper.recovery.retry", ZOOKEEPER_RETRIES);
        configuration.setInt("zookeeper.session.timeout", timeoutMillis);
        return configuration;
    }

    AsyncTable<ScanResultConsumer> table(TableName name) {
        return connection.getTable(name, callbacks);
    }

    AsyncAdmin admin() {
        return connection
                .getAdminBuilder(callbacks)
                .setOperationTimeout(timeoutMillis * DEFINITION_TIMEOUTS, TimeUnit.MILLISECONDS)
                .build();
    }

    AsyncConnection connection() {
        return connection;
    }

    /** Waits for a call of {@link #table}. */
    <T> T await(CompletableFuture<T> call) {
        // The client has its own time-out; this covers what it does not watch.
        return Failures.join(call, timeoutMillis * 2L);
    }

    /** Waits for a call of {@link #admin}. */
    <T> T define(CompletableFuture<T> call) {
        return Failures.join(call, timeoutMillis * DEFINITION_TIMEOUTS);
    }

    private static void closeQuietly(AsyncConnection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // Nothing is lost with an unused connection.
        }
    }

    @Override
    public void close() {
        closeQuietly(connection);
        callbacks.shutdown();
    }
}
