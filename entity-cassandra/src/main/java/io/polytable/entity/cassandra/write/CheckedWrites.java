package io.polytable.entity.cassandra.write;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.WriteClock;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.cassandra.group.WriteStatements;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes that depend on what is there: reads the partition's revision and the column, decides, and writes under the condition
 * that the revision is still the same, giving it a new one. Those who lose read and decide again.
 */
public final class CheckedWrites {
    private static final int ATTEMPTS_MAX = 50;
    private static final int HURRIED_ATTEMPTS = 3;
    private static final long AHEAD_MICROS_MAX = TimeUnit.SECONDS.toMicros(1);
    private static final ConsistencyLevel SERIAL = DefaultConsistencyLevel.LOCAL_SERIAL;

    /**
     * The newest version of a column, and what was read with it.
     *
     * @param written when that version was written, in microseconds
     */
    record Found(
            Optional<Bytes> value,
            long time,
            long written,
            @Nullable UUID revision) {
        /** The time of a version that is to be the newest, whatever the clock says. */
        long nextTime(long micros) {
            long now = WriteClock.toMillis(micros);
            return value.isPresent() ? Math.max(now, time + 1) : now;
        }
    }

    /**
     * What to write.
     *
     * @param before entries of second tables, which may be there in vain
     */
    record Writes(List<? extends BatchableStatement<?>> before, List<? extends BatchableStatement<?>> together) {}

    /** A row's column, and what to do about it. */
    record Task(
            GroupCells cells,
            Bytes rowKey,
            ColumnPlace place,
            ConsistencyLevel level,
            Function<Found, CompletableFuture<Optional<Writes>>> decision) {}

    private final Cluster cluster;
    private final RowQueue queue = new RowQueue();

    public CheckedWrites(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Writes what the decision answers, if it answers something; says whether it did. Changes of the same row by this process
     * wait for each other, instead of making each other fail.
     */
    CompletableFuture<Boolean> write(Task task) {
        return queue.after(task.rowKey(), () -> attempt(task, 1));
    }

    private CompletableFuture<Boolean> attempt(Task task, int number) {
        return find(task).thenCompose(found -> {
            long ahead = task.cells().isSingle()
                    ? found.written() - task.cells().clock().nextMicros()
                    : 0;
            if (ahead > AHEAD_MICROS_MAX) {
                return CompletableFuture.failedFuture(new EntityException(
                        EntityError.BAD_REQUEST,
                        "The present cell's time is in the future, where a conditional write cannot follow it",
                        Map.of("time", found.time())));
            }
            if (ahead > 0) {
                // A clock elsewhere is a little ahead: the write would be older than what it replaces.
                return again(task, number, TimeUnit.MICROSECONDS.toMillis(ahead) + 1);
            }
            return task.decision()
                    .apply(found)
                    .thenCompose(writes -> writes.isEmpty()
                            ? CompletableFuture.completedFuture(false)
                            : write(task, found, writes.get(), number));
        });
    }

    private CompletableFuture<Boolean> write(Task task, Found found, Writes writes, int number) {
        UUID next = UUID.randomUUID();
        BatchStatementBuilder batch = BatchStatement.builder(BatchType.LOGGED)
                .addStatement(condition(task, found, next))
                .setSerialConsistencyLevel(SERIAL)
                .setConsistencyLevel(task.level())
                .setIdempotence(false);
        writes.together().forEach(batch::addStatement);
        Settling settling = new Settling(cluster, batch.build(), next, found.revision() != null);
        return executeAll(writes.before())
                .thenCompose(done -> settling.isApplied())
                .thenCompose(applied -> {
                    if (applied) {
                        return CompletableFuture.completedFuture(true);
                    }
                    long waitMillis = number < HURRIED_ATTEMPTS
                            ? 0
                            : ThreadLocalRandom.current().nextLong(1, 10L + number);
                    return again(task, number, waitMillis);
                });
    }

    /** Losers of a race wait a little, each as long as chance says, so that not all of them lose again. */
    private CompletableFuture<Boolean> again(Task task, int number, long waitMillis) {
        if (number >= ATTEMPTS_MAX) {
            return CompletableFuture.failedFuture(new EntityException(
                    EntityError.STORE_FAILED,
                    "Too many changes of the same entity at the same time",
                    Map.of("attempts", number)));
        }
        if (waitMillis == 0) {
            return attempt(task, number + 1);
        }
        Executor later = CompletableFuture.delayedExecutor(waitMillis, TimeUnit.MILLISECONDS);
        return CompletableFuture.runAsync(() -> {}, later).thenCompose(done -> attempt(task, number + 1));
    }

    private CompletableFuture<Void> executeAll(List<? extends BatchableStatement<?>> statements) {
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (BatchableStatement<?> statement : statements) {
            all = all.thenCombine(cluster.executeAsync(statement), (done, also) -> null);
        }
        return all;
    }

    private static BoundStatement condition(Task task, Found found, UUID next) {
        WriteStatements statements = task.cells().writes();
        BoundStatement statement = found.revision() == null
                ? statements.firstRevision.bind()
                : statements.nextRevision.bind().setUuid("last", found.revision());
        return statement.setByteBuffer("key", Blobs.of(task.rowKey())).setUuid("next", next);
    }

    /**
     * Reads the column and the revision, at the serial level: that completes what others left half done. A plain read could
     * miss a cell and still see the revision that was written with it, and the condition would then hold over a stale value.
     * Where there is no cell, the revision is read first: it guards what is read after it.
     */
    private CompletableFuture<Found> find(Task task) {
        return guarded(task).thenCompose(found -> {
            Row row = found.one();
            if (row != null && !row.isNull(0)) {
                return CompletableFuture.completedFuture(found(row));
            }
            BoundStatement revision = task.cells().writes().revision.bind(Blobs.of(task.rowKey()));
            return cluster.executeAsync(serial(revision))
                    .thenCompose(first -> guarded(task).thenApply(second -> {
                        Row revised = first.one();
                        Row now = second.one();
                        return now != null && !now.isNull(0)
                                ? found(now)
                                : new Found(Optional.empty(), 0, 0, revised == null ? null : revised.getUuid(0));
                    }));
        });
    }

    private CompletableFuture<AsyncResultSet> guarded(Task task) {
        BoundStatement statement = task.cells()
                .writes()
                .guarded
                .bind(
                        Blobs.of(task.rowKey()),
                        task.place().familyId(),
                        task.place().qualifier());
        return cluster.executeAsync(serial(statement));
    }

    private static BoundStatement serial(BoundStatement statement) {
        return statement.setConsistencyLevel(SERIAL).setIdempotent(true);
    }

    private static Found found(Row row) {
        return new Found(
                Optional.of(Blobs.bytes(row.getByteBuffer(1))), row.getLong(0), row.getLong(2), row.getUuid(3));
    }

    /** Time, value and write time of a column's newest version, at the serial level. */
    CompletableFuture<AsyncResultSet> newest(GroupCells cells, Bytes rowKey, ColumnPlace place) {
        return cluster.executeAsync(cells.newest(rowKey, place).setConsistencyLevel(SERIAL));
    }
}
