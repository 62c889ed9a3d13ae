package io.polytable.cells.projection;

import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellKeys;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.projection.CellProjection.FilledTables;
import io.polytable.frontend.view.FollowedViews;
import io.polytable.table.Bytes;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import java.util.List;
import java.util.Optional;

/** One window: a changed cell touches its row. */
final class CellWindow implements FollowedViews.Window {
    private final CellProjection projection;
    private final Reader snapshot;
    private final FilledTables filled;
    private Bytes lastRow = Bytes.EMPTY;
    private Optional<TableName> lastTable = Optional.empty();

    CellWindow(CellProjection projection, Reader snapshot, FilledTables filled) {
        this.projection = projection;
        this.snapshot = snapshot;
        this.filled = filled;
    }

    @Override
    public void touchedBy(List<Change> changes, FollowedViews.Touched touched) {
        // A new table appears in the changes, since its definition is one of them.
        for (FamilyView view : projection.shown()) {
            if (!filled.has(view)) {
                fill(view, touched);
            }
        }
        for (Change change : changes) {
            projection.ofPhysical(change.table().name()).ifPresent(view -> touch(view, change, touched));
        }
    }

    private void touch(FamilyView view, Change change, FollowedViews.Touched touched) {
        if (CellKeys.isBookkeeping(change.key())) {
            return;
        }
        if (change.kind() == Change.Kind.DELETE_RANGE) {
            throw new StoreException(StoreError.POSITION_EXPIRED, "A range of rows was deleted at once");
        }
        Bytes row = CellKeys.rowOf(change.key());
        // The cells of a row arrive together.
        if (!row.equals(lastRow) || !lastTable.equals(Optional.of(change.table().name()))) {
            touched.row(view, List.of(new Value.OfBytes(row.copy())));
        }
        lastRow = row;
        lastTable = Optional.of(change.table().name());
    }

    private void fill(FamilyView view, FollowedViews.Touched touched) {
        try (StoredCursor rows = CellRows.rows(snapshot, view.table().physical(), RowRange.ALL)) {
            boolean there = rows.next();
            while (there) {
                touched.row(view, List.of(new Value.OfBytes(rows.row().copy())));
                there = rows.skipRow();
            }
        }
        filled.add(view, projection);
    }

    @Override
    public void everything(FollowedViews.Touched touched) {
        filled.clear();
        projection.shown().forEach(view -> fill(view, touched));
    }
}
