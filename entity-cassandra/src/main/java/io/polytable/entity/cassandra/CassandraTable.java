package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.InFlight;
import io.polytable.entity.cassandra.cluster.Levels;
import io.polytable.entity.cassandra.group.GroupCells;
import io.polytable.entity.cassandra.group.GroupWrites;
import io.polytable.entity.cassandra.group.NativeCounters;
import io.polytable.entity.cassandra.scan.KeyCursor;
import io.polytable.entity.cassandra.scan.KeyIndex;
import io.polytable.entity.cassandra.write.CheckedEdits;
import io.polytable.entity.cassandra.write.CheckedIncrement;
import io.polytable.entity.cassandra.write.CheckedWrites;
import io.polytable.entity.cassandra.write.EditPlan;
import io.polytable.entity.cassandra.write.VersionTrim;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.CellEdit;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An entity table as CQL tables, one for each locality group. */
public final class CassandraTable implements StoredTable {
    private static final int IN_FLIGHT = 128;

    private final Cluster cluster;
    private final Map<String, GroupCells> groups;
    private final Optional<KeyIndex> index;
    private final EditPlan plan;
    private final CheckedWrites checked;
    private final VersionTrim trim;

    public CassandraTable(Cluster cluster, Map<String, GroupCells> groups, Optional<KeyIndex> index) {
        this.cluster = cluster;
        this.groups = groups;
        this.index = index;
        plan = new EditPlan(cluster, groups);
        checked = new CheckedWrites(cluster);
        trim = new VersionTrim(cluster);
    }

    @Override
    public CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query) {
        CompletableFuture<List<StoredCell>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (ColumnQuery column : query.columns()) {
            all = all.thenCombine(
                    plan.group(column.groupId()).read(rowKey, column, query.consistency()), (cells, more) -> {
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
        ConsistencyLevel level = level(change);
        // Built at once: write times are in the order of the calls.
        CompletableFuture<List<BatchableStatement<?>>> statements = plan.statements(change.rowKey(), change.edits());
        List<Statement<?>> counters = plan.counterDeletes(change.rowKey(), change.edits());
        return before(change)
                .thenCompose(done -> executeEach(at(level, counters)))
                .thenCompose(done -> statements)
                .thenCompose(made -> execute(made, level))
                .thenApply(done -> {
                    trimAfter(change);
                    return WriteAnswer.APPLIED;
                });
    }

    private void trimAfter(RowChange change) {
        for (CellEdit edit : change.edits()) {
            if (edit instanceof CellEdit.Put put) {
                trim.written(plan.group(put.place().groupId()), change.rowKey(), put.place());
            }
        }
    }

    /**
     * The consistency level of a whole change, determined before anything is written: an unsupported level must not
     * leave a partial change.
     */
    private ConsistencyLevel level(RowChange change) {
        return change.edits().stream()
                .flatMap(edit -> plan.groups(edit).stream())
                .map(cells -> cells.level(change.consistency()))
                .reduce(Levels::stricter)
                .orElseGet(cluster::consistency);
    }

    private static List<Statement<?>> at(ConsistencyLevel level, List<Statement<?>> statements) {
        List<Statement<?>> changed = new ArrayList<>();
        statements.forEach(statement -> changed.add(statement.setConsistencyLevel(level)));
        return changed;
    }

    /** Entries of index tables, written before a change. Surplus entries are harmless. */
    private CompletableFuture<Void> before(RowChange change) {
        List<Statement<?>> statements = new ArrayList<>();
        boolean puts = false;
        for (CellEdit edit : change.edits()) {
            if (edit instanceof CellEdit.Put put) {
                puts = true;
                statements.addAll(GroupWrites.columnEntry(
                        plan.group(put.place().groupId()),
                        change.rowKey(),
                        put.place(),
                        put.timestamp(),
                        put.ttlMillis()));
            } else if (edit instanceof CellEdit.Increment increment) {
                puts = true;
                statements.addAll(GroupWrites.columnEntry(
                        plan.group(increment.place().groupId()),
                        change.rowKey(),
                        increment.place(),
                        CellEdit.NOW,
                        increment.ttlMillis()));
            }
        }
        CompletableFuture<Void> indexed =
                puts && index.isPresent() ? index.get().add(change.rowKey()) : CompletableFuture.completedFuture(null);
        return indexed.thenCombine(executeEach(statements), (done, also) -> null);
    }

    /** In parallel and independent of each other. */
    private CompletableFuture<Void> executeEach(List<Statement<?>> statements) {
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        for (Statement<?> statement : statements) {
            all = all.thenCombine(cluster.executeAsync(statement), (done, also) -> null);
        }
        return all;
    }

    /** One statement by itself, several as an atomic (logged) batch. */
    private CompletableFuture<Void> execute(List<BatchableStatement<?>> statements, ConsistencyLevel level) {
        if (statements.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Statement<?> statement = statements.size() == 1
                ? statements.get(0)
                : BatchStatement.newInstance(BatchType.LOGGED, statements.toArray(BatchableStatement<?>[]::new))
                        .setIdempotent(true);
        return cluster.executeAsync(statement.setConsistencyLevel(level)).thenApply(done -> null);
    }

    private CompletableFuture<WriteAnswer> increment(RowChange change) {
        if (change.edits().size() != 1) {
            return CompletableFuture.failedFuture(
                    new EntityException(EntityError.NOT_CAPABLE, "On Cassandra an increment is written by itself"));
        }
        CellEdit.Increment increment = (CellEdit.Increment) change.edits().get(0);
        GroupCells cells = plan.group(increment.place().groupId());
        ConsistencyLevel level = cells.level(change.consistency());
        if (cells.counters().isPresent()) {
            NativeCounters counters = cells.counters().get();
            return before(change).thenCompose(done -> counters.increment(change.rowKey(), increment, level));
        }
        return before(change)
                .thenCompose(done -> new CheckedIncrement(cells, change.rowKey(), increment).by(checked, level))
                .thenApply(answer -> {
                    trim.written(cells, change.rowKey(), increment.place());
                    return answer;
                });
    }

    /** Edits in the check's group are written with the check, the others right after it. */
    private CompletableFuture<WriteAnswer> writeChecked(RowChange change, RowChange.Check check) {
        GroupCells cells = plan.group(check.place().groupId());
        CheckedEdits together = CheckedEdits.of(cells, change.rowKey(), check, change.edits());
        List<CellEdit> after = change.edits().stream()
                .filter(edit -> !CheckedEdits.isTogether(check, edit))
                .toList();
        ConsistencyLevel level = Levels.stricter(cells.level(change.consistency()), level(change));
        RowChange rest = new RowChange(change.rowKey(), after, Optional.empty(), change.consistency());
        return before(change).thenCompose(done -> together.by(checked, level)).thenCompose(applied -> {
            if (!applied) {
                return CompletableFuture.completedFuture(WriteAnswer.NOT_APPLIED);
            }
            together.puts().forEach(put -> trim.written(cells, change.rowKey(), put.place()));
            return after.isEmpty()
                    ? CompletableFuture.completedFuture(WriteAnswer.APPLIED)
                    // Within a stage, so that exceptions thrown at once are also reported as a partial change.
                    : CompletableFuture.completedFuture(rest)
                            .thenCompose(this::write)
                            .exceptionallyCompose(CassandraTable::halfMade);
        });
    }

    /**
     * The check held and its group is written: a failure of the rest must not be reported as a failure of the whole.
     */
    private static CompletableFuture<WriteAnswer> halfMade(Throwable failure) {
        return CompletableFuture.failedFuture(new EntityException(
                EntityError.UNKNOWN_OUTCOME,
                "The check held and its locality group was written, the others perhaps not: read before trying again",
                Map.of(),
                failure));
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
