package io.polytable.frontend.view;

import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnBatch;
import java.util.List;
import java.util.function.Supplier;

/**
 * Builds batches from rows that a frontend produces one by one. It tests all ranges of the scan, so that the frontend may push
 * down as many as it can.
 */
public final class ViewBatches implements View.BatchCursor {
    private final ViewRows rows;
    private final int[] columns;
    private final RangeFilters filters;
    private final int[] filtered;
    private long left;

    private ViewBatches(ViewRows rows, int[] columns, RangeFilters filters, int[] filtered, long limit) {
        this.rows = rows;
        this.columns = columns;
        this.filters = filters;
        this.filtered = filtered;
        left = limit;
    }

    /** The rows are opened only if the scan is valid for the view. */
    public static ViewBatches open(View view, ViewScan scan, Supplier<ViewRows> rows) {
        int[] columns = places(view, scan.columnsOf(view));
        List<Column> ranged = view.columns().stream()
                .filter(column -> scan.ranges().containsKey(column.name()))
                .toList();
        RangeFilters filters = new RangeFilters(ranged, scan.ranges());
        return new ViewBatches(rows.get(), columns, filters, places(view, ranged), scan.limit());
    }

    private static int[] places(View view, List<Column> columns) {
        return columns.stream().mapToInt(view.columns()::indexOf).toArray();
    }

    @Override
    public boolean next(ColumnBatch batch) {
        batch.clear();
        while (left > 0 && !batch.isFull() && rows.next()) {
            if (passes()) {
                for (int i = 0; i < columns.length; i++) {
                    rows.add(columns[i], batch.column(i));
                }
                batch.endRow();
                left--;
            }
        }
        return batch.rows() > 0;
    }

    private boolean passes() {
        filters.clear();
        for (int i = 0; i < filtered.length; i++) {
            rows.add(filtered[i], filters.vector(i));
        }
        return filters.pass();
    }

    @Override
    public void close() {
        rows.close();
    }
}
