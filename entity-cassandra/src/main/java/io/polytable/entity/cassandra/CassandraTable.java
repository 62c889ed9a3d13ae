package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredCell;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An entity table as the tables of its locality groups. */
final class CassandraTable implements StoredTable {
    private static final int IN_FLIGHT = 128;

    private final Cluster cluster;
    private final Map<String, GroupCells> groups;
    private final Optional<KeyIndex> index;
    private final EditPlan plan;
    private final CheckedWrites checked;

    CassandraTable(Cluster cluster, Map<String, GroupCells> groups, Optional<KeyIndex> index) {
        this.cluster = cluster;
        this.groups = groups;
        this.index = index;
        plan = new EditPlan(cluster, groups);
        checked = new CheckedWrites(cluster);
    }

    @Override
    public CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query) {
        CompletableFuture<List<StoredCell>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (ColumnQuery column : query.columns()) {
            all = all.thenCombine(plan.group(column.groupId()).read(rowKey, column), (cells, more) -> {
                cells.addAll(more);
                return cells;
            });
        }
        return all.thenApply(cells -> new StoredRow(rowKey, cells));
    }

    @Override
    public CompletableFuture<List<StoredRow>> getAll(List<Bytes> rowKeys, RowQuery query) {
        return InFlight.all(rowKeys, IN_FLIGHT, key -> get(key, query));
    }

    @Override
    public RowCursor scan(ScanQuery query) {
        return new KeyCursor(this, cluster, groups, index, query);
    }

    @Override
    public CompletableFuture<WriteAnswer> write(RowChange change) {
        if (change.check().isPresent()) {
            return writeChecked(change, change.check().get());
        }
        if (change.edits().stream().anyMatch(CellEdit.Increment.class::isInstance)) {
            return increment(change);
        }
        return plan.statements(change.rowKey(), change.edits())
                .thenCompose(statements -> execute(indexed(change, statements)))
                .thenApply(done -> WriteAnswer.APPLIED);
    }

    private List<BatchableStatement<?>> indexed(RowChange change, List<BatchableStatement<?>> statements) {
        boolean puts = change.edits().stream()
                .anyMatch(edit -> edit instanceof CellEdit.Put || edit instanceof CellEdit.Increment);
        if (index.isEmpty() || !puts) {
            return statements;
        }
        List<BatchableStatement<?>> more = new ArrayList<>(statements);
        more.add(index.get().insert(change.rowKey()));
        return more;
    }

    /** One statement by itself, several as a batch that is made whole or not at all. */
    private CompletableFuture<Void> execute(List<BatchableStatement<?>> statements) {
        if (statements.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Statement<?> statement = statements.size() == 1
                ? statements.get(0)
                : BatchStatement.newInstance(BatchType.LOGGED, statements.toArray(BatchableStatement<?>[]::new));
        return cluster.executeAsync(statement).thenApply(done -> null);
    }

    private CompletableFuture<WriteAnswer> increment(RowChange change) {
        if (change.edits().size() != 1) {
            return CompletableFuture.failedFuture(
                    new EntityException(EntityError.NOT_CAPABLE, "On Cassandra an increment is written by itself"));
        }
        CellEdit.Increment increment = (CellEdit.Increment) change.edits().get(0);
        ColumnPlace place = increment.place();
        GroupCells cells = plan.group(place.groupId());
        List<StoredCell> made = new ArrayList<>();
        return execute(indexed(change, List.of()))
                .thenCompose(done -> checked.write(cells, change.rowKey(), place, found -> {
                    long last = found.value().map(CassandraTable::counter).orElse(0L);
                    long now = WriteClock.toMillis(WriteClock.nextMicros());
                    // A counter's new version is its newest, whatever the clock says.
                    long time = found.value().isPresent() ? Math.max(now, found.time() + 1) : now;
                    Bytes value = new BytesWriter(Long.BYTES)
                            .i64(last + increment.amount())
                            .toBytes();
                    made.clear();
                    made.add(new StoredCell(place.familyId(), place.qualifier(), time, value));
                    return Optional.of(List.of(
                            GroupWrites.checkedPut(cells, change.rowKey(), place, time, value, increment.ttlMillis())));
                }))
                .thenApply(done -> new WriteAnswer(true, made));
    }

    private static long counter(Bytes value) {
        if (value.length() != Long.BYTES) {
            throw new EntityException(EntityError.BAD_VALUE, "A counter has eight bytes");
        }
        return new BytesReader(value).i64();
    }

    /** What is in the check's group is written with the check, the rest at once after it. */
    private CompletableFuture<WriteAnswer> writeChecked(RowChange change, RowChange.Check check) {
        GroupCells cells = plan.group(check.place().groupId());
        List<BatchableStatement<?>> together = new ArrayList<>();
        List<CellEdit> after = new ArrayList<>();
        for (CellEdit edit : change.edits()) {
            if (edit instanceof CellEdit.Put put
                    && put.place().groupId().equals(check.place().groupId())) {
                together.add(GroupWrites.checkedPut(
                        cells, change.rowKey(), put.place(), put.timestamp(), put.value(), put.ttlMillis()));
            } else {
                after.add(edit);
            }
        }
        RowChange rest = new RowChange(change.rowKey(), after, Optional.empty());
        return execute(indexed(change, List.of()))
                .thenCompose(done -> checked.write(
                        cells,
                        change.rowKey(),
                        check.place(),
                        found -> found.value().equals(check.expected()) ? Optional.of(together) : Optional.empty()))
                .thenCompose(applied -> applied && !after.isEmpty()
                        ? write(rest)
                        : CompletableFuture.completedFuture(applied ? WriteAnswer.APPLIED : WriteAnswer.NOT_APPLIED));
    }

    @Override
    public CompletableFuture<Void> writeAll(List<RowChange> changes) {
        Map<Bytes, List<RowChange>> byRow = new LinkedHashMap<>();
        changes.forEach(change ->
                byRow.computeIfAbsent(change.rowKey(), key -> new ArrayList<>()).add(change));
        return InFlight.all(List.copyOf(byRow.values()), IN_FLIGHT, this::inOrder)
                .thenApply(done -> null);
    }

    private CompletableFuture<WriteAnswer> inOrder(List<RowChange> ofOneRow) {
        CompletableFuture<WriteAnswer> last = CompletableFuture.completedFuture(WriteAnswer.APPLIED);
        for (RowChange change : ofOneRow) {
            last = last.thenCompose(done -> write(change));
        }
        return last;
    }

    @Override
    public List<Partition> partitions(int wanted) {
        return KeyCursor.partitions(index.isPresent(), wanted);
    }

    /** Writes are in Cassandra's commit log when they are acknowledged. */
    @Override
    public void flush() {}
}
