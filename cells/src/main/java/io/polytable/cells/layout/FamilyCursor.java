package io.polytable.cells.layout;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellPosition;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import java.util.List;

/** A cursor over the cells of the family layout; decodes one row at a time. */
final class FamilyCursor implements StoredCursor {
    private final Cursor cursor;
    private final FamilyRows rows;
    private ListCursor cells = new ListCursor(List.of());

    FamilyCursor(Cursor cursor, FamilyRows rows) {
        this.cursor = cursor;
        this.rows = rows;
    }

    @Override
    public boolean next() {
        return cells.next() || nextRow();
    }

    private boolean nextRow() {
        while (cursor.next()) {
            load();
            if (cells.next()) {
                return true;
            }
        }
        return false;
    }

    private void load() {
        Bytes key = cursor.key();
        cells = new ListCursor(rows.decode(CellKeys.component(key, 0, CellKeys.end(key, 0)), cursor.value()));
    }

    @Override
    public boolean seek(CellPosition position) {
        if (cells.isOnCell() && cells.row().compareTo(position.row()) >= 0) {
            return cells.seek(position) || nextRow();
        }
        if (!cursor.seek(CellKeys.row(position.row()))) {
            cells = new ListCursor(List.of());
            return false;
        }
        load();
        return cells.seek(position) || nextRow();
    }

    @Override
    public boolean skipColumn() {
        return cells.skipColumn() || nextRow();
    }

    @Override
    public boolean skipRow() {
        cells.skipRow();
        return nextRow();
    }

    @Override
    public boolean isOnCell() {
        return cells.isOnCell();
    }

    @Override
    public Bytes row() {
        return cells.row();
    }

    @Override
    public Bytes family() {
        return cells.family();
    }

    @Override
    public Bytes qualifier() {
        return cells.qualifier();
    }

    @Override
    public long timestamp() {
        return cells.timestamp();
    }

    @Override
    public CellKind kind() {
        return cells.kind();
    }

    @Override
    public Cell cell() {
        return cells.cell();
    }

    @Override
    public void close() {
        cursor.close();
    }
}
