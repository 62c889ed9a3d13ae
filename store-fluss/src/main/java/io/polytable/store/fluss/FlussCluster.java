package io.polytable.store.fluss;

import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.config.ConfigOptions;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.config.MemorySize;
import org.apache.fluss.exception.FlussRuntimeException;
import org.apache.fluss.metadata.ChangelogImage;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a Fluss cluster, configured for a commit log and shared by everything of one store. Thread-safe. No
 * call waits longer than {@link FlussSettings#answerMax()}.
 */
public final class FlussCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlussCluster.class);
    private static final Duration ASK_AGAIN = Duration.ofMillis(100);
    private static final Duration VISIBLE_AGAIN = Duration.ofMillis(1);
    private static final Duration CLOSE_MAX = Duration.ofSeconds(10);
    /** The interval at which the client checks for due batches; 0 would make it spin. */
    private static final Duration WRITE_WAIT = Duration.ofMillis(1);
    /** Larger than our largest row, so that every row fits into a batch. */
    private static final long BATCH_BYTES = 8L << 20;
    /** The client's minimum. */
    static final long WRITE_BUFFER_BYTES_MIN = 2 * BATCH_BYTES;

    /**
     * How long a single lookup waits to be batched; 0 would make it wait forever. The client polls at this interval
     * even when idle: a tenth of a millisecond kept a seventh of a processor busy in an idle server.
     */
    private static final Duration LOOKUP_WAIT = Duration.ofMillis(2);
    /**
     * With rows of at most a few megabytes, the response to this many lookups stays below a server's response limit.
     */
    private static final int LOOKUPS_A_REQUEST = 16;

    private final FlussSettings settings;
    private final FlussConnection connection;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The rows that readers may fetch ahead. Shared: there may be many, and a fixed share each would exceed the heap. */
    private final Semaphore ahead;

    private FlussCluster(FlussSettings settings, FlussConnection connection) {
        this.settings = settings;
        ahead = new Semaphore(RowFetcher.aheadMax(settings.memory().aheadBytes()));
        this.connection = connection;
    }

    /**
     * Connects, and creates the database if it is missing.
     *
     * @throws StoreException {@link io.polytable.table.StoreError#IO} if no cluster answers
     */
    public static FlussCluster open(FlussSettings settings) {
        FlussCluster cluster = null;
        try {
            Configuration configuration = configuration(settings);
            configuration.set(
                    ConfigOptions.CLIENT_WRITER_BUFFER_MEMORY_SIZE,
                    new MemorySize(settings.memory().writeBytes()));
            BootstrapProbe.run(configuration);
            cluster = new FlussCluster(settings, (FlussConnection) ConnectionFactory.createConnection(configuration));
            cluster.createDatabase();
            return cluster;
        } catch (StoreException e) {
            closeQuietly(cluster);
            throw e;
        } catch (RuntimeException e) {
            closeQuietly(cluster);
            throw FlussFault.unreachable(settings, e);
        }
    }

    Semaphore ahead() {
        return ahead;
    }

    /** Any server knows which databases exist, but only the coordinator creates one, and it may be down. */
    private void createDatabase() {
        if (!persistently(() -> await(connection.getAdmin().databaseExists(settings.database())))) {
            await(connection.getAdmin().createDatabase(settings.database(), DatabaseDescriptor.EMPTY, true));
        }
    }

    private static void closeQuietly(@Nullable FlussCluster cluster) {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Configuration configuration(FlussSettings settings) {
        Configuration configuration = new Configuration();
        configuration.set(ConfigOptions.BOOTSTRAP_SERVERS, settings.bootstrapServers());
        configuration.set(ConfigOptions.CLIENT_CONNECT_TIMEOUT, settings.answerMax());
        configuration.set(ConfigOptions.CLIENT_REQUEST_TIMEOUT, settings.answerMax());
        configuration.set(ConfigOptions.CLIENT_WRITER_ACKS, "all");
        configuration.set(ConfigOptions.CLIENT_WRITER_BATCH_TIMEOUT, WRITE_WAIT);
        // The client of 0.9.1 predicts batch sizes from earlier ones. A row much larger than the prediction was never
        // answered and never reached the table.
        configuration.set(ConfigOptions.CLIENT_WRITER_DYNAMIC_BATCH_SIZE_ENABLED, false);
        configuration.set(ConfigOptions.CLIENT_WRITER_BATCH_SIZE, new MemorySize(BATCH_BYTES));
        configuration.set(ConfigOptions.CLIENT_LOOKUP_BATCH_TIMEOUT, LOOKUP_WAIT);
        configuration.set(ConfigOptions.CLIENT_LOOKUP_MAX_BATCH_SIZE, LOOKUPS_A_REQUEST);
        configuration.set(ConfigOptions.CLIENT_METRICS_ENABLED, false);
        return configuration;
    }

    public FlussSettings settings() {
        return settings;
    }

    /** For callers with tables of their own. Closed by this object. */
    public Connection connection() {
        return connection;
    }

    public TablePath path(String table) {
        return TablePath.of(settings.database(), table);
    }

    /** Opens the table, and creates it if it is missing. */
    public Table table(TablePath path, TableDescriptor descriptor) {
        // Fluss refuses to create a table while fewer servers are alive than it needs replicas, even if it exists.
        if (!persistently(() -> await(connection.getAdmin().tableExists(path)))) {
            TableDescriptor wanted =
                    settings.replication() == 0 ? descriptor : descriptor.withReplicationFactor(settings.replication());
            new TableCreation(new TableCreation.InCluster(this, connection, path, wanted), settings.answerMax()).run();
        }
        TableInfo found = persistently(() -> await(connection.getAdmin().getTableInfo(path)));
        // A new table has no leaders yet. A write that begins before is not answered as long as the client believes so,
        // and only a request like this makes it ask again.
        Map<Integer, Long> unusedEnds = ends(path, found.getNumBuckets());
        // Only now, since whoever created the table may have replaced it as long as it had no leader.
        return persistently(() -> connection.getTable(path));
    }

    /**
     * Opens a table that only Polytable reads and writes: a single bucket, since its rows need one order.
     *
     * @param bucketKey the columns by which rows can be looked up besides the whole key; none for the whole key only
     */
    public Table ownTable(TablePath path, Schema schema, String comment, String... bucketKey) {
        return table(
                path,
                TableDescriptor.builder()
                        .schema(schema)
                        .distributedBy(1, bucketKey)
                        // Nobody reads the old values of rows.
                        .property(ConfigOptions.TABLE_CHANGELOG_IMAGE, ChangelogImage.WAL)
                        .comment(comment)
                        .build());
    }

    /** The offset of the next write to the table's only bucket, if nobody else writes. */
    public long latestOffset(TablePath path) {
        return Objects.requireNonNull(ends(path, 1).get(0));
    }

    /** The offset of the next write to each bucket, from its leader. */
    private Map<Integer, Long> ends(TablePath path, int buckets) {
        List<Integer> all = IntStream.range(0, buckets).boxed().toList();
        return persistently(() -> await(connection
                .getAdmin()
                .listOffsets(path, all, new OffsetSpec.LatestSpec())
                .all()));
    }

    /** Retries a read until it times out: a bucket may have no leader yet, or the client asked a server that is down. */
    private <T> T persistently(Supplier<T> question) {
        long deadline = System.nanoTime() + settings.answerMax().toNanos();
        while (true) {
            try {
                return question.get();
            } catch (StoreException | FlussRuntimeException | CompletionException e) {
                if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                    throw e instanceof StoreException known ? known : FlussFault.failed(e);
                }
                LockSupport.parkNanos(ASK_AGAIN.toNanos());
            }
        }
    }

    /** Waits for a response, at most {@link FlussSettings#answerMax()}. */
    public <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(settings.answerMax().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw FlussFault.failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw FlussFault.late(settings.answerMax(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw FlussFault.failed(e);
        }
    }

    /** Waits until the condition holds, at most {@link FlussSettings#answerMax()}. */
    public void awaitTrue(BooleanSupplier condition) {
        long deadline = System.nanoTime() + settings.answerMax().toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw FlussFault.late(settings.answerMax(), new TimeoutException("what was written is not seen"));
            }
            LockSupport.parkNanos(VISIBLE_AGAIN.toNanos());
        }
    }

    /** Closes the connection. Abandons unacknowledged writes instead of waiting for them. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // The client's close waits forever for servers that do not respond, and seconds for its network threads, so it
        // runs in a thread of its own. Only the end of all writes is waited for.
        CountDownLatch silent = new CountDownLatch(1);
        InBackground.run("polytable-fluss-close", () -> closeConnection(silent));
        try {
            if (!silent.await(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Writes to Fluss could not be stopped within {}", CLOSE_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeConnection(CountDownLatch silent) {
        try {
            connection.getOrCreateWriterClient().close(Duration.ZERO);
            connection.getOrCreateLookupClient().close(Duration.ZERO);
            silent.countDown();
            connection.close();
        } catch (Exception e) {
            LOG.warn("The connection to Fluss did not close as it should", e);
        } finally {
            silent.countDown();
        }
    }
}
