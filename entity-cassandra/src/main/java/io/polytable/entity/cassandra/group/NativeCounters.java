package io.polytable.entity.cassandra.group;

import static io.polytable.entity.cassandra.group.ReadStatements.COLUMN;
import static io.polytable.entity.cassandra.group.ReadStatements.FAMILY;
import static io.polytable.entity.cassandra.group.ReadStatements.ROW;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.polytable.entity.cassandra.cluster.Blobs;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.WriteClock;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Increments and deletes of a group of Cassandra's own counters. An increment is one write, and faster than a
 * conditional one. In exchange the outcome of an unanswered increment is unknown, and the returned value is read after
 * it, so it may include increments of other clients.
 */
public final class NativeCounters {
    private final Cluster cluster;
    private final GroupCells cells;
    private final PreparedStatement add;
    private final PreparedStatement deleteRow;
    private final PreparedStatement deleteFamily;
    private final PreparedStatement deleteColumn;

    public NativeCounters(Cluster cluster, GroupCells cells, GroupTable table) {
        this.cluster = cluster;
        this.cells = cells;
        add = cluster.prepare("UPDATE " + table.fullName() + " SET value = value + :amount" + COLUMN);
        String delete = "DELETE FROM " + table.fullName();
        deleteRow = cluster.prepare(delete + ROW);
        deleteFamily = cluster.prepare(delete + FAMILY);
        deleteColumn = cluster.prepare(delete + COLUMN);
    }

    public CompletableFuture<WriteAnswer> increment(
            Bytes rowKey, CellEdit.Increment increment, ConsistencyLevel level) {
        Statement<?> statement = add.bind()
                .setLong("amount", increment.amount())
                .setByteBuffer("key", Blobs.of(rowKey))
                .setString("family", increment.place().familyId())
                .setString("qualifier", increment.place().qualifier())
                .setConsistencyLevel(level)
                .setIdempotent(false);
        return cluster.executeOnce(statement)
                .thenApply(done -> cells.newest(rowKey, increment.place()))
                .thenCompose(newest -> answer(increment, newest));
    }

    /** The increment is applied: reporting a failed read as a failed increment would make callers count twice. */
    private CompletableFuture<WriteAnswer> answer(CellEdit.Increment increment, Statement<?> newest) {
        return CompletableFuture.completedFuture(newest)
                .thenCompose(cluster::executeAsync)
                .thenApply(found -> new WriteAnswer(true, List.of(cell(increment, found))))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(new EntityException(
                        EntityError.UNKNOWN_OUTCOME,
                        "A counter was incremented, but its new value could not be read: do not increment again",
                        Map.of(),
                        failure)));
    }

    private static StoredCell cell(CellEdit.Increment increment, AsyncResultSet found) {
        Row row = found.one();
        if (row == null) {
            throw new EntityException(
                    EntityError.UNKNOWN_OUTCOME, "A counter was deleted while it was incremented", Map.of());
        }
        return new StoredCell(
                increment.place().familyId(),
                increment.place().qualifier(),
                WriteClock.toMillis(row.getLong(0)),
                Blobs.bytes(row.getByteBuffer(1)));
    }

    /** The part of the edit that deletes cells of this group. */
    public List<Statement<?>> deletes(Bytes rowKey, String groupId, CellEdit edit) {
        if (edit instanceof CellEdit.DeleteRow row) {
            return List.of(bound(deleteRow, rowKey, row.upTo()));
        }
        if (edit instanceof CellEdit.DeleteFamily family && family.groupId().equals(groupId)) {
            return List.of(bound(deleteFamily, rowKey, family.upTo()).setString("family", family.familyId()));
        }
        if (edit instanceof CellEdit.DeleteColumn column
                && column.place().groupId().equals(groupId)) {
            return List.of(bound(deleteColumn, rowKey, column.upTo())
                    .setString("family", column.place().familyId())
                    .setString("qualifier", column.place().qualifier()));
        }
        return List.of();
    }

    private BoundStatement bound(PreparedStatement statement, Bytes rowKey, long upTo) {
        if (upTo != CellEdit.NOW) {
            throw new EntityException(EntityError.NOT_CAPABLE, "Native counters are deleted whole, not up to a time");
        }
        return statement
                .bind()
                .setByteBuffer("key", Blobs.of(rowKey))
                .setConsistencyLevel(cells.consistency())
                .setIdempotent(true);
    }
}
