package io.polytable.cells.read;

import io.polytable.cells.CellPosition;
import io.polytable.cells.RowRange;
import io.polytable.cells.layout.CellRows;
import io.polytable.cells.layout.ReverseRows;
import io.polytable.cells.layout.StoredCursor;
import io.polytable.cells.request.ScanRequest;
import io.polytable.table.Bytes;

/** A cursor over the rows of a scan, in its direction, each with a cursor over its cells. */
interface RowWalk extends AutoCloseable {
    /** Moves to the next row of the range. */
    boolean next();

    /** Moves to the first row of the range at or after this one in the scan's direction. */
    boolean seek(Bytes row);

    Bytes row();

    /** Positioned on a cell of the row, or before the first cell if nothing was read yet. */
    StoredCursor cells();

    @Override
    void close();

    static RowWalk open(ReadContext context, ScanRequest request, RowRange range) {
        if (request.reversed()) {
            return new Backward(CellRows.reverse(context.reader(), context.table(), range));
        }
        boolean oneRow = !range.from().isEmpty() && range.to().equals(RowRange.after(range.from()));
        return new Forward(
                oneRow
                        ? CellRows.row(context.reader(), context.table(), range.from())
                        : CellRows.rows(context.reader(), context.table(), range));
    }

    /** From the first row to the last. */
    final class Forward implements RowWalk {
        private final StoredCursor cursor;
        private Bytes row = Bytes.EMPTY;

        Forward(StoredCursor cursor) {
            this.cursor = cursor;
        }

        @Override
        public boolean next() {
            if (!cursor.isOnCell()) {
                return row.isEmpty() && arrived(cursor.next());
            }
            boolean stillThere = cursor.row().equals(row);
            return arrived(stillThere ? cursor.skipRow() : true);
        }

        @Override
        public boolean seek(Bytes target) {
            return arrived(cursor.seek(CellPosition.startOf(target)));
        }

        private boolean arrived(boolean there) {
            if (there) {
                row = cursor.row();
            }
            return there;
        }

        @Override
        public Bytes row() {
            return row;
        }

        @Override
        public StoredCursor cells() {
            return cursor;
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    /** From the last row to the first. */
    final class Backward implements RowWalk {
        private final ReverseRows rows;

        Backward(ReverseRows rows) {
            this.rows = rows;
        }

        @Override
        public boolean next() {
            return rows.next();
        }

        @Override
        public boolean seek(Bytes target) {
            return rows.seek(target);
        }

        @Override
        public Bytes row() {
            return rows.row();
        }

        @Override
        public StoredCursor cells() {
            return rows.cells();
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
