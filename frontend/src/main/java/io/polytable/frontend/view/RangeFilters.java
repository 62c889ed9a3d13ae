package io.polytable.frontend.view;

import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnBatch;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.ColumnVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tests rows whose ranged columns were decoded into a small batch of their own. */
final class RangeFilters {
    private final List<Column> columns;
    private final RangeFilter[] filters;
    private final ColumnBatch row;

    /** @param columns the columns to test, each with a range of its name */
    RangeFilters(List<Column> columns, Map<String, ColumnRange> ranges) {
        this.columns = columns;
        List<RangeFilter> all = new ArrayList<>();
        for (Column column : columns) {
            ColumnRange range = ranges.get(column.name());
            if (range == null) {
                throw new IllegalArgumentException("no range of " + column);
            }
            all.add(RangeFilter.of(column, range));
        }
        filters = all.toArray(RangeFilter[]::new);
        row = new ColumnBatch(columns, 1);
    }

    boolean isEmpty() {
        return filters.length == 0;
    }

    List<Column> columns() {
        return columns;
    }

    /** Where to add the next row's values, after {@link #clear()}. */
    ColumnVector vector(int index) {
        return row.column(index);
    }

    void clear() {
        row.clear();
    }

    boolean pass() {
        for (int i = 0; i < filters.length; i++) {
            if (!filters[i].contains(row.column(i), 0)) {
                return false;
            }
        }
        return true;
    }
}
