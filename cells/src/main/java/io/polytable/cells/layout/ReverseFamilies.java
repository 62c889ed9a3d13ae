package io.polytable.cells.layout;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import java.util.List;

/** Iterates over rows of the family layout in reverse. */
final class ReverseFamilies implements ReverseRows {
    private final Cursor cursor;
    private final FamilyRows rows;
    private Bytes row = Bytes.EMPTY;
    private ListCursor cells = new ListCursor(List.of());

    ReverseFamilies(Cursor cursor, FamilyRows rows) {
        this.cursor = cursor;
        this.rows = rows;
    }

    @Override
    public boolean next() {
        return loaded(cursor.next());
    }

    @Override
    public boolean seek(Bytes target) {
        return loaded(cursor.seek(CellKeys.row(target)));
    }

    private boolean loaded(boolean there) {
        if (there) {
            Bytes key = cursor.key();
            row = CellKeys.component(key, 0, CellKeys.end(key, 0));
            cells = new ListCursor(rows.decode(row, cursor.value()));
            cells.next();
        }
        return there;
    }

    @Override
    public Bytes row() {
        return row;
    }

    @Override
    public StoredCursor cells() {
        return cells;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
