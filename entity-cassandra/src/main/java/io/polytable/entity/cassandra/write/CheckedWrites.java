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
import io.polytable.entity.store.StoredCell;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Read-modify-write by optimistic concurrency: reads the partition's revision and the column, decides, and writes a new
 * revision on condition that the old one is unchanged. Losers of a race read and decide again.
 *
 * <p>In a group of one version nothing is read first: the expected value is part of the condition, and Cassandra
 * returns the actual value if it is wrong. Cases that cannot be expressed so are read first, for example a clock that
 * is ahead.
 */
public final class CheckedWrites {
    private static final int ATTEMPTS_MAX = 50;
    private static final int HURRIED_ATTEMPTS = 3;
    private static final int GUESSES_MAX = 3;
    private static final long AHEAD_MICROS_MAX = TimeUnit.SECONDS.toMicros(1);
    private static final ConsistencyLevel SERIAL = DefaultConsistencyLevel.LOCAL_SERIAL;

    /**
     * The newest version of a column, and what was read with it.
     *
     * @param written the write time of that version, in microseconds
     */
    record Found(
            Optional<Bytes> value,
            long time,
            long written,
            @Nullable UUID revision) {
        /** The timestamp of a version that must be the newest, whatever the clock says. */
        long nextTime(long micros) {
            long now = WriteClock.toMillis(micros);
            return value.isPresent() ? Math.max(now, time + 1) : now;
        }
    }

    /**
     * A decided write.
     *
     * @param before entries of index tables; surplus ones are harmless
     * @param counter the counter that an increment writes
     */
    record Writes(
            List<? extends BatchableStatement<?>> before,
            List<? extends BatchableStatement<?>> together,
            Optional<StoredCell> counter) {}

    /** The revision that was written last, and its counter. */
    record Last(UUID revision, Optional<StoredCell> counter) {}

    /**
     * A column of a row, and the decision about it.
     *
     * @param replaces whether the present version is replaced by write time, and so must not be younger than the new
     *     one
     * @param guess the expected value of the column, from the last write
     */
    record Task(
            GroupCells cells,
            Bytes rowKey,
            ColumnPlace place,
            ConsistencyLevel level,
            boolean replaces,
            Function<Optional<Last>, Found> guess,
            Function<Found, CompletableFuture<Optional<Writes>>> decision) {}

    private final Cluster cluster;
    private final RowQueue queue = new RowQueue();
    private final LastWrites last = new LastWrites();

    public CheckedWrites(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Writes what the decision returns, if anything, and returns what was written. Changes of the same row by this
     * process are queued instead of racing each other.
     */
    CompletableFuture<Optional<Writes>> write(Task task) {
        // Each wrong guess would write entries of an index table.
        boolean isGuessed = task.cells().isSingle() && task.cells().byTime().isEmpty();
        return queue.after(
                task.rowKey(), () -> isGuessed ? guess(task, task.guess().apply(last.of(task)), 1) : attempt(task, 1));
    }

    /** Writes optimistically, on condition that the guess is right. */
    private CompletableFuture<Optional<Writes>> guess(Task task, Found guessed, int number) {
        long before = task.cells().clock().nowMillis();
        return task.decision().apply(guessed).thenCompose(writes -> {
            if (writes.isEmpty()) {
                return CompletableFuture.completedFuture(writes);
            }
            UUID next = UUID.randomUUID();
            return outcome(task, condition(task, guessed, before, next), guessed, next, writes.get())
                    .thenCompose(outcome -> {
                        if (outcome.isApplied()) {
                            return CompletableFuture.completedFuture(writes);
                        }
                        Found there = standing(outcome);
                        boolean isTooNew = there.value().equals(guessed.value())
                                && Objects.equals(there.revision(), guessed.revision());
                        return isTooNew || number >= GUESSES_MAX ? attempt(task, 1) : guess(task, there, number + 1);
                    });
        });
    }

    private static BoundStatement condition(Task task, Found guessed, long before, UUID next) {
        WriteStatements statements = task.cells().writes();
        BoundStatement statement = guessed.value().isPresent()
                ? statements
                        .revisionOfValue
                        .bind()
                        .setByteBuffer("value", Blobs.of(guessed.value().get()))
                        .setLong("before", before)
                : statements.revisionOfNone.bind().setToNull("value");
        return statement
                .setByteBuffer("key", Blobs.of(task.rowKey()))
                .setString("family", task.place().familyId())
                .setString("qualifier", task.place().qualifier())
                .setUuid("last", guessed.revision())
                .setUuid("next", next);
    }

    /** The result of a guess. */
    private static Found standing(OutcomeResolver.Outcome outcome) {
        Optional<Row> row =
                outcome.row().filter(found -> found.getColumnDefinitions().contains("value"));
        UUID revision = row.map(found -> found.getUuid("rev")).orElse(null);
        Optional<Bytes> value =
                row.filter(found -> !found.isNull("value")).map(found -> Blobs.bytes(found.getByteBuffer("value")));
        boolean isDated = row.isPresent() && row.get().getColumnDefinitions().contains("time");
        return new Found(value, isDated ? row.get().getLong("time") : 0, 0, revision);
    }

    private CompletableFuture<Optional<Writes>> attempt(Task task, int number) {
        return find(task).thenCompose(found -> {
            long ahead =
                    task.replaces() ? found.written() - task.cells().clock().nextMicros() : 0;
            if (ahead > AHEAD_MICROS_MAX) {
                return CompletableFuture.failedFuture(new EntityException(
                        EntityError.BAD_REQUEST,
                        "The present cell's time is in the future, where a conditional write cannot follow it",
                        Map.of("time", found.time())));
            }
            if (ahead > 0) {
                // Another clock is slightly ahead: the write would be older than the version it replaces.
                return again(task, number, TimeUnit.MICROSECONDS.toMillis(ahead) + 1);
            }
            return task.decision()
                    .apply(found)
                    .thenCompose(writes -> writes.isEmpty()
                            ? CompletableFuture.completedFuture(writes)
                            : write(task, found, writes.get(), number));
        });
    }

    private CompletableFuture<Optional<Writes>> write(Task task, Found found, Writes writes, int number) {
        UUID next = UUID.randomUUID();
        return outcome(task, condition(task, found, next), found, next, writes).thenCompose(outcome -> {
            if (outcome.isApplied()) {
                return CompletableFuture.completedFuture(Optional.of(writes));
            }
            long waitMillis =
                    number < HURRIED_ATTEMPTS ? 0 : ThreadLocalRandom.current().nextLong(1, 10L + number);
            return again(task, number, waitMillis);
        });
    }

    /** Writes on condition of the row's revision, which it replaces by the next one. */
    private CompletableFuture<OutcomeResolver.Outcome> outcome(
            Task task, BoundStatement condition, Found found, UUID next, Writes writes) {
        BatchStatementBuilder batch = BatchStatement.builder(BatchType.LOGGED)
                .addStatement(condition)
                .setSerialConsistencyLevel(SERIAL)
                .setConsistencyLevel(task.level())
                .setIdempotence(false);
        writes.together().forEach(batch::addStatement);
        OutcomeResolver resolver = new OutcomeResolver(cluster, batch.build(), next, found.revision() != null);
        return executeAll(writes.before())
                .thenCompose(done -> resolver.outcome())
                .thenApply(outcome -> {
                    if (outcome.isApplied()) {
                        last.add(task, new Last(next, writes.counter()));
                    }
                    return outcome;
                });
    }

    /** Randomized back-off for losers of a race. */
    private CompletableFuture<Optional<Writes>> again(Task task, int number, long waitMillis) {
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
     * Reads the column and the revision at the serial level, which completes unfinished conditional writes. A plain
     * read could miss a cell and still see the revision that was written with it, and the condition would then hold
     * over a stale value. If there is no cell, the revision is read first: it guards the following read.
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
