package io.polytable.cells.store;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellRow;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.read.RangeScanner;
import io.polytable.cells.read.ReadContext;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.column.Bound;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.Value;
import java.util.Iterator;
import java.util.List;

/** Iterates over the visible cells of a range of rows, by cell or by row. */
public final class ViewedCells implements AutoCloseable {
    private static final StepLimit CELLS_STEP = new StepLimit(1000, 1 << 20, 100_000, true, () -> false);
    private static final StepLimit ROWS_STEP = StepLimit.of(100, 1 << 20);

    private final CellScanner scanner;
    private Iterator<CellRow> rows = List.<CellRow>of().iterator();
    private Iterator<Cell> cells = List.<Cell>of().iterator();
    private CellRow row = new CellRow(Bytes.EMPTY, List.of(), false);
    private Cell cell = new Cell(Bytes.EMPTY, Bytes.EMPTY, Bytes.EMPTY, 0, CellKind.PUT, Bytes.EMPTY);
    private boolean more = true;

    public ViewedCells(ReadContext context, RowRange range, Selection selection) {
        scanner = new RangeScanner(context, ScanRequest.of(range, selection), () -> {});
    }

    /** The row range of the scan's condition on the row key. */
    public static RowRange rows(ViewScan scan) {
        ColumnRange range = scan.ranges().get("row_key");
        if (range == null) {
            return RowRange.ALL;
        }
        return new RowRange(from(range.lower()), to(range.upper()));
    }

    private static Bytes from(Bound bound) {
        if (bound instanceof Bound.Inclusive inclusive) {
            return bytes(inclusive.value());
        }
        return bound instanceof Bound.Exclusive exclusive ? RowRange.after(bytes(exclusive.value())) : Bytes.EMPTY;
    }

    /** An upper bound that excludes everything becomes unbounded here; the caller tests each row anyway. */
    private static Bytes to(Bound bound) {
        if (bound instanceof Bound.Inclusive inclusive) {
            return RowRange.after(bytes(inclusive.value()));
        }
        return bound instanceof Bound.Exclusive exclusive ? bytes(exclusive.value()) : Bytes.EMPTY;
    }

    private static Bytes bytes(Value value) {
        return value instanceof Value.OfBytes bytes ? bytes.value() : Bytes.EMPTY;
    }

    boolean nextCell() {
        while (!cells.hasNext()) {
            if (!nextRow(CELLS_STEP)) {
                return false;
            }
            cells = row.cells().iterator();
        }
        cell = cells.next();
        return true;
    }

    public boolean nextRow() {
        return nextRow(ROWS_STEP);
    }

    private boolean nextRow(StepLimit limit) {
        while (!rows.hasNext()) {
            if (!more) {
                return false;
            }
            ScanStep step = scanner.next(limit);
            rows = step.rows().iterator();
            more = step.hasMore();
        }
        row = rows.next();
        return true;
    }

    Cell cell() {
        return cell;
    }

    public CellRow row() {
        return row;
    }

    @Override
    public void close() {
        scanner.close();
    }
}
