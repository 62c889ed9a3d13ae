package io.polytable.entity.embedded;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.cells.request.WriteResult;
import io.polytable.cells.store.CellTable;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.KeySplits;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An entity table stored as a cell table. */
final class CellsTable implements StoredTable {
    private final CellTable table;

    CellsTable(CellTable table) {
        this.table = table;
    }

    @Override
    public CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query) {
        if (query.columns().isEmpty()) {
            return CompletableFuture.completedFuture(new StoredRow(rowKey, List.of()));
        }
        return Failures.translatedAsync(
                () -> table.getAsync(rowKey, Selections.of(query)).thenApply(CellsTable::row));
    }

    @Override
    public CompletableFuture<List<StoredRow>> getAll(List<Bytes> rowKeys, RowQuery query) {
        if (query.columns().isEmpty()) {
            return CompletableFuture.completedFuture(
                    rowKeys.stream().map(key -> new StoredRow(key, List.of())).toList());
        }
        return Failures.translatedAsync(() -> table.getAllAsync(rowKeys, Selections.of(query))
                .thenApply(rows -> rows.stream().map(CellsTable::row).toList()));
    }

    static StoredRow row(CellRow row) {
        List<StoredCell> cells = new ArrayList<>(row.cells().size());
        for (Cell cell : row.cells()) {
            cells.add(new StoredCell(cell.family().utf8(), cell.qualifier().utf8(), cell.timestamp(), cell.value()));
        }
        return new StoredRow(row.row(), cells);
    }

    @Override
    public RowCursor scan(ScanQuery query) {
        return Failures.translated(() -> new CellsCursor(table, query));
    }

    @Override
    public CompletableFuture<WriteAnswer> write(RowChange change) {
        return Failures.translatedAsync(
                () -> table.writeAsync(write(change, true)).thenApply(CellsTable::answer));
    }

    private static WriteAnswer answer(WriteResult result) {
        if (!result.applied()) {
            return WriteAnswer.NOT_APPLIED;
        }
        if (result.cells().isEmpty()) {
            return WriteAnswer.APPLIED;
        }
        return new WriteAnswer(
                true, row(new CellRow(Bytes.EMPTY, result.cells(), false)).cells());
    }

    @Override
    public CompletableFuture<Void> writeAll(List<RowChange> changes) {
        List<RowWrite> writes =
                changes.stream().map(change -> write(change, false)).toList();
        return Failures.translatedAsync(() -> table.writeAllAsync(writes).thenApply(outcomes -> {
            for (WriteOutcome outcome : outcomes) {
                if (outcome instanceof WriteOutcome.Failed failed) {
                    throw Failures.of(failed.failure());
                }
            }
            return null;
        }));
    }

    private static RowWrite write(RowChange change, boolean returnsCells) {
        List<Edit> edits = change.edits().stream().map(CellsTable::edit).toList();
        RowWrite write = RowWrite.of(change.rowKey(), edits);
        if (!returnsCells) {
            write = write.withoutCells();
        }
        return change.check().isPresent() ? write.when(condition(change.check().get())) : write;
    }

    private static Condition condition(RowChange.Check check) {
        Bytes family = family(check.place());
        Bytes qualifier = qualifier(check.place());
        return check.expected().isPresent()
                ? new Condition.Compares(
                        family,
                        qualifier,
                        Condition.Relation.EQUAL,
                        check.expected().get())
                : new Condition.Absent(family, qualifier);
    }

    private static Edit edit(CellEdit edit) {
        if (edit instanceof CellEdit.Put put) {
            return new Edit.Put(
                    family(put.place()), qualifier(put.place()), put.timestamp(), put.value(), put.ttlMillis());
        }
        if (edit instanceof CellEdit.Increment increment) {
            return new Edit.Increment(
                    family(increment.place()),
                    qualifier(increment.place()),
                    increment.amount(),
                    Cell.LATEST,
                    io.polytable.cells.TimeRange.ALL,
                    increment.ttlMillis());
        }
        if (edit instanceof CellEdit.DeleteRow row) {
            return new Edit.DeleteRow(row.upTo());
        }
        if (edit instanceof CellEdit.DeleteFamily family) {
            return Edit.Delete.family(Bytes.utf8(family.familyId()), family.upTo());
        }
        if (edit instanceof CellEdit.DeleteColumn column) {
            return Edit.Delete.column(family(column.place()), qualifier(column.place()), column.upTo());
        }
        CellEdit.DeleteCell cell = (CellEdit.DeleteCell) edit;
        return Edit.Delete.version(family(cell.place()), qualifier(cell.place()), cell.timestamp());
    }

    private static Bytes family(ColumnPlace place) {
        return Bytes.utf8(place.familyId());
    }

    private static Bytes qualifier(ColumnPlace place) {
        return Bytes.utf8(place.qualifier());
    }

    @Override
    public List<Partition> partitions(int wanted) {
        KeySplits.check(wanted);
        return Failures.translated(
                () -> KeySplits.between(KeyEnds.end(table, false), KeyEnds.end(table, true), wanted));
    }

    /** Commits reach the disk without a flush. */
    @Override
    public void flush() {}
}
