package io.polytable.sql.model.table;

import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import org.jspecify.annotations.Nullable;

/** A table's rows as queries see them: the columns, then the hidden ones. */
final class ShownRows implements Relation.Rows {
    private final SqlTable table;
    private final StoredRows rows;
    private final boolean withDeleted;
    private @Nullable Object[] row = new Object[0];

    ShownRows(SqlTable table, StoredRows rows, boolean withDeleted) {
        this.table = table;
        this.rows = rows;
        this.withDeleted = withDeleted;
    }

    @Override
    public boolean next() {
        while (rows.next()) {
            StoredRow stored = rows.row();
            if (withDeleted || !stored.isDeleted()) {
                row = table.shown(stored);
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable Object[] row() {
        return row;
    }

    @Override
    public void close() {
        rows.close();
    }
}
