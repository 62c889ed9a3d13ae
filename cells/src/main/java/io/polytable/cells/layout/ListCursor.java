package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import java.util.List;

/** A cursor over an ordered list of one row's cells. */
final class ListCursor implements StoredCursor {
    private final List<Cell> cells;
    private int at = -1;

    ListCursor(List<Cell> cells) {
        this.cells = cells;
    }

    @Override
    public boolean next() {
        if (at < cells.size()) {
            at++;
        }
        return isOnCell();
    }

    @Override
    public boolean seek(CellPosition position) {
        int low = Math.max(at, 0);
        int high = cells.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cells.get(middle).position().compareTo(position) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        at = low;
        return isOnCell();
    }

    @Override
    public boolean skipColumn() {
        Cell left = current();
        do {
            at++;
        } while (isOnCell() && current().sameColumn(left));
        return isOnCell();
    }

    @Override
    public boolean skipRow() {
        at = cells.size();
        return false;
    }

    @Override
    public boolean isOnCell() {
        return at >= 0 && at < cells.size();
    }

    private Cell current() {
        return cells.get(at);
    }

    @Override
    public Bytes row() {
        return current().row();
    }

    @Override
    public Bytes family() {
        return current().family();
    }

    @Override
    public Bytes qualifier() {
        return current().qualifier();
    }

    @Override
    public long timestamp() {
        return current().timestamp();
    }

    @Override
    public CellKind kind() {
        return current().kind();
    }

    @Override
    public Cell cell() {
        return current();
    }

    @Override
    public void close() {}
}
