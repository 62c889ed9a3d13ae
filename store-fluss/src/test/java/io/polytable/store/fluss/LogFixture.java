package io.polytable.store.fluss;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A test's own log in the shared cluster. Most tests use one table, for making one takes seconds: a test's log starts over
 * in it, leaving behind what the test before wrote.
 */
final class LogFixture implements AutoCloseable {
    static final Duration LEASE = Duration.ofMillis(1500);
    static final FlussLogOptions OPTIONS =
            FlussLogOptions.of("test").withLease(LEASE).withClaimMax(Duration.ofSeconds(30));

    private static Optional<FlussCluster> connection = Optional.empty();

    private final FlussLogOptions usual;
    private final List<FlussLog> opened = new ArrayList<>();
    private boolean begun;

    LogFixture() {
        this(OPTIONS);
    }

    /** For tests with a table of their own. */
    LogFixture(FlussLogOptions usual) {
        this.usual = usual;
    }

    /** The connection that all tests share; it ends with the Java machine. */
    static synchronized FlussCluster cluster() {
        if (connection.isEmpty()) {
            FlussCluster cluster = connect();
            connection = Optional.of(cluster);
        }
        return connection.get();
    }

    /** A connection of its own, as another process would have. */
    static FlussCluster connect() {
        return FlussCluster.open(settings());
    }

    static FlussSettings settings() {
        return FlussSettings.of(TestCluster.shared().bootstrapServers()).withAnswerMax(Duration.ofSeconds(20));
    }

    FlussLog open() {
        return open(cluster());
    }

    FlussLog open(FlussCluster cluster) {
        return open(cluster, usual);
    }

    FlussLog open(FlussCluster cluster, FlussLogOptions options) {
        return opened(FlussLog.open(cluster, anewAtFirst(options)));
    }

    /** Opens the log of a data directory, which tells whose it is. */
    FlussLog openIn(Path logDirectory) {
        return opened(FlussPartition.bound(
                FlussPartition.openLog(cluster(), anewAtFirst(usual), logDirectory), logDirectory));
    }

    private FlussLogOptions anewAtFirst(FlussLogOptions options) {
        return begun ? options : options.withAnew(FlussLogOptions.StartAfter.NOTHING);
    }

    private FlussLog opened(FlussLog log) {
        begun = true;
        opened.add(log);
        return log;
    }

    FlussLog last() {
        return opened.get(opened.size() - 1);
    }

    @Override
    public void close() {
        opened.forEach(FlussLog::close);
    }
}
