package io.polytable.frontend.view;

import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.Value;
import java.util.List;
import java.util.Optional;

/** Reads rows by key through rows that can be positioned: the same mapping as a scan's. */
public final class SoughtRows implements RowLookup {
    private final Rows rows;
    private final ColumnBatch row;

    /** Rows that can also be positioned at a key. */
    public interface Rows extends ViewRows {
        /** Positions at the row with the key; false if there is none. */
        boolean seek(List<Value> key);
    }

    public SoughtRows(View view, Rows rows) {
        this.rows = rows;
        this.row = new ColumnBatch(view.columns(), 1);
    }

    @Override
    public Optional<List<Value>> row(List<Value> key) {
        if (!rows.seek(key)) {
            return Optional.empty();
        }
        row.clear();
        for (int i = 0; i < row.columns().size(); i++) {
            rows.add(i, row.column(i));
        }
        row.endRow();
        return Optional.of(row.columns().stream().map(column -> column.value(0)).toList());
    }

    @Override
    public void close() {
        rows.close();
    }
}
