package io.polytable.sql.query;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result set that is wholly in memory. */
public final class ListedRows implements QueryRows {
    private final List<Output> columns;
    private final Iterator<@Nullable Object[]> rows;
    private @Nullable Object[] row = new Object[0];

    public ListedRows(List<Output> columns, List<@Nullable Object[]> rows) {
        this.columns = List.copyOf(columns);
        this.rows = rows.iterator();
    }

    @Override
    public List<Output> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        if (!rows.hasNext()) {
            return false;
        }
        row = rows.next();
        return true;
    }

    @Override
    public @Nullable Object[] row() {
        return row;
    }

    @Override
    public void close() {
        // No resources to release.
    }
}
