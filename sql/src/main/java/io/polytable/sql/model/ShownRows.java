package io.polytable.sql.model;

import java.util.Arrays;
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
                row = shown(stored);
                return true;
            }
        }
        return false;
    }

    private @Nullable Object[] shown(StoredRow stored) {
        TableDef def = table.def();
        @Nullable Object[] values = Arrays.copyOf(stored.values(), table.columns().size());
        int at = def.columns().size();
        values[at++] = stored.key().bytes();
        if (def.hasRowId()) {
            values[at++] = table.rowId(stored.key().bytes());
        }
        if (def.hasSystemColumns()) {
            values[at++] = stored.updated();
            values[at] = stored.isDeleted();
        }
        return values;
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
