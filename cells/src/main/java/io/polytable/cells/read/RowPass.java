package io.polytable.cells.read;

import io.polytable.cells.Cell;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.request.CellFilter;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.Selection;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads rows through the matcher, and applies the row-level decisions of a filter. */
final class RowPass {
    private final RowMatcher matcher;
    private final @Nullable CellFilter filter;

    RowPass(ReadContext context, Selection selection, boolean reversed) {
        matcher = new RowMatcher(context.spec(), selection, reversed, context.nowMillis());
        filter = selection.filter().orElse(null);
    }

    boolean isDone() {
        return filter != null && filter.isDone();
    }

    /** Whether no further row of this range can return a cell, though the filter may accept rows of another range. */
    boolean isExhausted() {
        return matcher.isExhausted();
    }

    boolean looksAtRows() {
        return filter != null && filter.looksAtRows();
    }

    /** Whether the row has candidate cells; the cursor is then on the first of them. */
    boolean start(Bytes row, StoredCursor cursor) {
        return matcher.start(row, cursor) && filterLetsIn(cursor);
    }

    boolean resume(ResumePoint point, StoredCursor cursor) {
        return point.lastCell()
                .filter(last -> matcher.resume(point, last, cursor) && filterLetsIn(cursor))
                .isPresent();
    }

    private boolean filterLetsIn(StoredCursor cursor) {
        if (filter == null) {
            return true;
        }
        filter.reset();
        return !filter.rejectsRowKey(cursor.cell());
    }

    RowMatcher.End read(StoredCursor cursor, ReadStep step) {
        return matcher.read(cursor, step);
    }

    /** The row's remaining cells after the filter's row-level decisions. */
    List<Cell> finish(List<Cell> cells) {
        if (filter == null) {
            return cells;
        }
        if (filter.looksAtRows()) {
            filter.filterRowCells(cells);
        }
        List<Cell> left = !cells.isEmpty() && filter.rejectsRow() ? List.of() : cells;
        // Reset before isDone is called: a filter that counts within a row is done only until the row's end.
        filter.reset();
        return left;
    }

    /** Whether delete markers preceded the returned cells. */
    boolean metMarkers() {
        return matcher.metMarkers();
    }

    Optional<Bytes> hintedRow() {
        return matcher.hintedRow();
    }

    /** Where to resume a row that was cut. */
    ResumePoint position() {
        return matcher.position();
    }
}
