package io.polytable.benchmarks.entity;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Cassandra's driver, with tables of the same shape and prepared statements: a program without the library. */
final class DriverSide implements Side {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int IN_FLIGHT = 100;

    private final CqlSession session;
    private final PreparedStatement insert;
    private final PreparedStatement index;
    private final PreparedStatement select;
    private final PreparedStatement keys;
    private final PreparedStatement first;
    private final PreparedStatement next;

    DriverSide(String host, int port) {
        session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(host, port))
                .withLocalDatacenter("datacenter1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM")
                        .build())
                .build();
        session.execute(
                "CREATE KEYSPACE raw WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
        session.execute("CREATE TABLE raw.t (key blob, family text, qualifier text, time bigint, value blob,"
                + " PRIMARY KEY ((key), family, qualifier)) WITH compression = {'enabled': 'false'}");
        session.execute("CREATE TABLE raw.t_keys (part int, key blob, PRIMARY KEY ((part), key))");
        insert = session.prepare(
                "INSERT INTO raw.t (key, family, qualifier, time, value) VALUES (?, 'f', ?, ?, ?) USING TIMESTAMP ?");
        index = session.prepare("INSERT INTO raw.t_keys (part, key) VALUES (?, ?)");
        select = session.prepare("SELECT time, value FROM raw.t WHERE key = ? AND family = 'f' AND qualifier = ?");
        keys = session.prepare("SELECT key FROM raw.t_keys WHERE part = ? AND key >= ? LIMIT ?");
        first = session.prepare(
                "INSERT INTO raw.t (key, family, qualifier, time, value) VALUES (?, 'f', ?, ?, ?) IF NOT EXISTS");
        next = session.prepare("UPDATE raw.t SET time = ?, value = ? WHERE key = ? AND family = 'f' AND qualifier = ?"
                + " IF value = ?");
    }

    private static ByteBuffer key(int row) {
        return ByteBuffer.wrap(Side.key(row).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void put(int row, byte[] value) {
        long now = System.currentTimeMillis();
        ByteBuffer key = key(row);
        session.execute(BatchStatement.newInstance(
                BatchType.LOGGED,
                insert.bind(key, "v", now, ByteBuffer.wrap(value), TimeUnit.MILLISECONDS.toMicros(now)),
                index.bind(key.get(0) & 0xff, key)));
    }

    @Override
    public int get(int row) {
        return length(session.execute(select.bind(key(row), "v")).one());
    }

    private static int length(@Nullable Row row) {
        ByteBuffer value = row == null ? null : row.getByteBuffer(1);
        return value == null ? 0 : value.remaining();
    }

    @Override
    public int getAll(List<Integer> rows) {
        return lengths(rows.stream().map(DriverSide::key).toList());
    }

    /** The same concurrency as in the library: a connection takes 1024 requests of all threads together. */
    private int lengths(List<ByteBuffer> rows) {
        int sum = 0;
        for (int from = 0; from < rows.size(); from += IN_FLIGHT) {
            sum += lengthsAtOnce(rows.subList(from, Math.min(rows.size(), from + IN_FLIGHT)));
        }
        return sum;
    }

    private int lengthsAtOnce(List<ByteBuffer> rows) {
        List<CompletableFuture<AsyncResultSet>> running = new ArrayList<>();
        rows.forEach(
                key -> running.add(session.executeAsync(select.bind(key, "v")).toCompletableFuture()));
        return running.stream().mapToInt(future -> length(future.join().one())).sum();
    }

    @Override
    public int scan(int from, int rows) {
        List<ByteBuffer> found = new ArrayList<>();
        ByteBuffer start = key(from);
        for (Row row : session.execute(keys.bind(start.get(0) & 0xff, start, rows))) {
            ByteBuffer key = row.getByteBuffer(0);
            if (key != null) {
                found.add(key);
            }
        }
        return lengths(found) > 0 ? found.size() : 0;
    }

    @Override
    public long increment(int row) {
        while (true) {
            Row present = session.execute(
                            select.bind(key(row), "n").setConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL))
                    .one();
            ByteBuffer last = present == null ? null : present.getByteBuffer(1);
            long value = (last == null ? 0 : last.duplicate().getLong()) + 1;
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, value);
            long now = System.currentTimeMillis();
            boolean applied = session.execute(
                            last == null
                                    ? first.bind(key(row), "n", now, bytes)
                                    : next.bind(now, bytes, key(row), "n", last))
                    .wasApplied();
            if (applied) {
                return value;
            }
        }
    }

    @Override
    public boolean check(int row, byte[] expected, byte[] value) {
        return session.execute(next.bind(
                        System.currentTimeMillis(), ByteBuffer.wrap(value), key(row), "v", ByteBuffer.wrap(expected)))
                .wasApplied();
    }

    @Override
    public void close() {
        session.close();
    }
}
