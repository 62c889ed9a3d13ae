package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reverse cursor over rows. It starts behind the last row; close it. A reverse cursor of the store returns a row's cells last to first, so we
 * collect and reverse the cells of a narrow row; a wide row gets a forward cursor of its own.
 */
public final class ReverseRows implements AutoCloseable {
    private static final int COLLECTED_MAX = 64;

    /** A row of few but large cells counts as wide: a step may need only the first of them. */
    private static final int COLLECTED_BYTES_MAX = 256 << 10;

    private final Reader reader;
    private final Table table;
    private final Cursor cursor;
    private final CellCursor backward;

    private Bytes row = Bytes.EMPTY;
    private @Nullable StoredCursor cells;

    ReverseRows(Reader reader, Table table, RowRange range) {
        this.reader = reader;
        this.table = table;
        cursor = reader.scan(table, CellRows.keys(range), Direction.REVERSE, Long.MAX_VALUE);
        backward = new CellCursor(cursor);
    }

    /** Moves to the previous row. */
    public boolean next() {
        closeCells();
        if (!backward.isOnCell() && !backward.next()) {
            return false;
        }
        return collect();
    }

    /** Moves to the last row at or before the key, which must be before the current row. */
    public boolean seek(Bytes target) {
        closeCells();
        boolean ahead = !backward.isOnCell() || backward.row().compareTo(target) > 0;
        if (ahead && !backward.seekBack(CellKeys.behind(CellKeys.row(target)))) {
            return false;
        }
        return collect();
    }

    /** From the last cell of a row, collects the row and moves to the last cell of the previous row, if any. */
    private boolean collect() {
        row = backward.row();
        List<Cell> collected = new ArrayList<>();
        long bytes = 0;
        while (backward.isOnCell() && backward.row().equals(row)) {
            if (collected.size() == COLLECTED_MAX || bytes > COLLECTED_BYTES_MAX) {
                cells = CellRows.row(reader, table, row);
                cells.next();
                backward.seekBack(CellKeys.row(row));
                return true;
            }
            Cell cell = backward.cell();
            bytes += cell.memoryBytes();
            collected.add(cell);
            backward.next();
        }
        Collections.reverse(collected);
        cells = new ListCursor(collected);
        cells.next();
        return true;
    }

    public Bytes row() {
        return row;
    }

    /** The row's cells in forward order, positioned on the first; valid until the next move. */
    public StoredCursor cells() {
        if (cells == null) {
            throw new IllegalStateException("on no row");
        }
        return cells;
    }

    private void closeCells() {
        if (cells != null) {
            cells.close();
            cells = null;
        }
    }

    @Override
    public void close() {
        closeCells();
        cursor.close();
    }
}
