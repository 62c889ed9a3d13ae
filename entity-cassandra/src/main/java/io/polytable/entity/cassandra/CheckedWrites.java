package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes that depend on what is there: reads the partition's revision and the column, decides, and writes under the condition
 * that the revision is still the same, giving it a new one. Those who lose read and decide again.
 */
final class CheckedWrites {
    private static final int ATTEMPTS_MAX = 50;
    private static final ConsistencyLevel SERIAL = DefaultConsistencyLevel.LOCAL_SERIAL;

    /** The newest version of a column, and what was read with it. */
    record Found(Optional<Bytes> value, long time, @Nullable UUID revision) {}

    private final Cluster cluster;
    private final RowQueue queue = new RowQueue();

    CheckedWrites(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Writes what the decision answers, if it answers something; says whether it did. Changes of the same row by this process
     * wait for each other, instead of making each other fail.
     */
    CompletableFuture<Boolean> write(
            GroupCells cells,
            Bytes rowKey,
            ColumnPlace place,
            Function<Found, Optional<List<? extends BatchableStatement<?>>>> decision) {
        return queue.after(rowKey, () -> attempt(cells, rowKey, place, decision, 1));
    }

    private CompletableFuture<Boolean> attempt(
            GroupCells cells,
            Bytes rowKey,
            ColumnPlace place,
            Function<Found, Optional<List<? extends BatchableStatement<?>>>> decision,
            int number) {
        return find(cells, rowKey, place).thenCompose(found -> {
            Optional<List<? extends BatchableStatement<?>>> writes = decision.apply(found);
            if (writes.isEmpty()) {
                return CompletableFuture.completedFuture(false);
            }
            BatchStatementBuilder batch = BatchStatement.builder(BatchType.LOGGED)
                    .addStatement(condition(cells, rowKey, found))
                    .setSerialConsistencyLevel(SERIAL)
                    .setConsistencyLevel(cells.consistency());
            writes.get().forEach(batch::addStatement);
            return cluster.executeAsync(batch.build()).thenCompose(result -> {
                if (result.wasApplied()) {
                    return CompletableFuture.completedFuture(true);
                }
                if (number >= ATTEMPTS_MAX) {
                    return CompletableFuture.failedFuture(new EntityException(
                            EntityError.STORE_FAILED,
                            "Too many changes of the same entity at the same time",
                            Map.of("attempts", number)));
                }
                return attempt(cells, rowKey, place, decision, number + 1);
            });
        });
    }

    private static BoundStatement condition(GroupCells cells, Bytes rowKey, Found found) {
        GroupStatements statements = cells.statements();
        BoundStatement statement = found.revision() == null
                ? statements.firstRevision.bind()
                : statements.nextRevision.bind().setUuid("last", found.revision());
        return statement.setByteBuffer("key", Blobs.of(rowKey)).setUuid("next", UUID.randomUUID());
    }

    /** Reads at the serial level, which completes what others left half done. The revision first: it guards the rest. */
    private CompletableFuture<Found> find(GroupCells cells, Bytes rowKey, ColumnPlace place) {
        GroupStatements statements = cells.statements();
        BoundStatement revision = statements
                .revision
                .bind(Blobs.of(rowKey))
                .setConsistencyLevel(SERIAL)
                .setIdempotent(true);
        BoundStatement newest = statements
                .newest
                .bind(Blobs.of(rowKey), place.familyId(), place.qualifier())
                .setConsistencyLevel(SERIAL)
                .setIdempotent(true);
        return cluster.executeAsync(revision)
                .thenCompose(first -> cluster.executeAsync(newest).thenApply(second -> {
                    Row revised = first.one();
                    Row row = second.one();
                    UUID last = revised == null ? null : revised.getUuid(0);
                    boolean isThere = row != null && !row.isNull(0);
                    return isThere
                            ? new Found(Optional.of(Blobs.bytes(row.getByteBuffer(1))), row.getLong(0), last)
                            : new Found(Optional.empty(), 0, last);
                }));
    }
}
