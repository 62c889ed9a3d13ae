package io.polytable.frontend.view;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A scan of a {@link View}, with columns, ranges and a limit pushed down: columns that are not requested are not
 * decoded, and where a range allows it not even read. Only rows within all ranges are returned.
 *
 * @param columns by name, in the order of the batches; none to count rows only
 * @param ranges by the name of a key column
 * @param limit the maximum number of rows; {@link Long#MAX_VALUE} for all
 */
public record ViewScan(List<String> columns, Map<String, ColumnRange> ranges, long limit) {
    public ViewScan {
        columns = List.copyOf(columns);
        ranges = Map.copyOf(ranges);
        if (Set.copyOf(columns).size() < columns.size()) {
            throw new IllegalArgumentException("a column is asked for twice: " + columns);
        }
    }

    /** All rows, with these columns. */
    public static ViewScan of(List<String> columns) {
        return new ViewScan(columns, Map.of(), Long.MAX_VALUE);
    }

    /** All rows, with all columns. */
    public static ViewScan all(View view) {
        return of(view.columns().stream().map(Column::name).toList());
    }

    public ViewScan within(String keyColumn, ColumnRange range) {
        Map<String, ColumnRange> more = new TreeMap<>(ranges);
        more.put(keyColumn, range);
        return new ViewScan(columns, more, limit);
    }

    public ViewScan first(long rows) {
        return new ViewScan(columns, ranges, rows);
    }

    /**
     * The requested columns of the view.
     *
     * @throws StoreException {@link StoreError#BAD_VALUE} if the view has no such column, or a range is not of a column
     *     of its key
     */
    public List<Column> columnsOf(View view) {
        for (String ranged : ranges.keySet()) {
            if (!view.key().contains(ranged)) {
                throw new StoreException(
                        StoreError.BAD_VALUE,
                        "A range of what is no key column",
                        Map.of("view", view.name(), "column", ranged));
            }
        }
        List<Column> wanted = new ArrayList<>(columns.size());
        for (String name : columns) {
            wanted.add(view.columns().stream()
                    .filter(column -> column.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new StoreException(
                            StoreError.BAD_VALUE, "No such column", Map.of("view", view.name(), "column", name))));
        }
        return wanted;
    }
}
