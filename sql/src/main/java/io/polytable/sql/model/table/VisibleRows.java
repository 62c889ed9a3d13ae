package io.polytable.sql.model.table;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;

/** The rows that a filter shows. */
final class VisibleRows implements StoredRows {
    private final StoredRows rows;
    private final RowFilter filter;

    VisibleRows(StoredRows rows, RowFilter filter) {
        this.rows = rows;
        this.filter = filter;
    }

    @Override
    public boolean next() {
        while (rows.next()) {
            if (filter.shows(rows.row().values())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public StoredRow row() {
        return rows.row();
    }

    @Override
    public void close() {
        rows.close();
    }
}
