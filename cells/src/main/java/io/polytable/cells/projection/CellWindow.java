package io.polytable.cells.projection;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellRow;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellKeys;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.projection.CellProjection.FilledTables;
import io.polytable.cells.projection.CellProjection.Shown;
import io.polytable.cells.read.RowReads;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import io.polytable.table.view.Projection;
import io.polytable.table.view.ShownTable;
import java.util.List;
import java.util.Optional;

/** One window of the projection: a changed cell touches its row, and a touched row is read from the snapshot. */
final class CellWindow implements Projection.Window {
    private final CellProjection projection;
    private final Snapshot snapshot;
    private final FilledTables filled;
    private Bytes lastRow = Bytes.EMPTY;
    private Optional<TableName> lastTable = Optional.empty();

    CellWindow(CellProjection projection, Snapshot snapshot, FilledTables filled) {
        this.projection = projection;
        this.snapshot = snapshot;
        this.filled = filled;
    }

    @Override
    public void touchedBy(List<Change> changes, Projection.Touched touched) {
        // A new table appears in the changes, since its definition is one of them.
        for (Shown shown : projection.shown()) {
            if (!filled.has(shown)) {
                fill(shown, touched);
            }
        }
        for (Change change : changes) {
            projection.ofPhysical(change.table().name()).ifPresent(shown -> touch(shown, change, touched));
        }
    }

    private void touch(Shown shown, Change change, Projection.Touched touched) {
        if (CellKeys.isBookkeeping(change.key())) {
            return;
        }
        if (change.kind() == Change.Kind.DELETE_RANGE) {
            throw new StoreException(StoreError.POSITION_EXPIRED, "A range of rows was deleted at once");
        }
        Bytes row = CellKeys.rowOf(change.key());
        // The cells of a row arrive together.
        if (!row.equals(lastRow) || !lastTable.equals(Optional.of(change.table().name()))) {
            touched.row(shown.target(), List.of(new Value.OfBytes(row.copy())));
        }
        lastRow = row;
        lastTable = Optional.of(change.table().name());
    }

    private void fill(Shown shown, Projection.Touched touched) {
        try (StoredCursor rows = CellRows.rows(snapshot, shown.table().physical(), RowRange.ALL)) {
            boolean there = rows.next();
            while (there) {
                touched.row(shown.target(), List.of(new Value.OfBytes(rows.row().copy())));
                there = rows.skipRow();
            }
        }
        filled.add(shown, projection);
    }

    @Override
    public void everything(Projection.Touched touched) {
        filled.clear();
        projection.shown().forEach(shown -> fill(shown, touched));
    }

    @Override
    public Optional<List<Value>> row(ShownTable table, List<Value> key) {
        Shown shown = projection.ofTarget(table);
        Bytes row = ((Value.OfBytes) key.get(0)).value();
        try {
            CellRow found = RowReads.read(shown.table().through(snapshot, projection.nowMillis()), row, Selection.ALL);
            return found.isEmpty()
                    ? Optional.empty()
                    : Optional.of(shown.columns().values(found));
        } catch (CellException e) {
            if (e.error() != CellError.TOO_LARGE) {
                throw e;
            }
            return Optional.of(shown.columns().absent(row));
        }
    }

    @Override
    public void end() {
        // Nothing is buffered.
    }
}
