package io.polytable.hbase.meta;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.RowRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellReads;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;

/** A read-only table of the namespace {@code hbase}, whose rows show the server's own state. */
abstract class ViewTable implements CellReads {
    private final Comparator<? super Bytes> order;

    /** @param order that of the rows */
    ViewTable(Comparator<? super Bytes> order) {
        this.order = order;
    }

    /** The rows as they are now; the map does not change. */
    abstract NavigableMap<Bytes, List<Cell>> rows();

    @Override
    public final CellRow get(Bytes row, Selection selection) {
        try (CellScanner scanner = scan(ScanRequest.of(RowRange.of(row), selection))) {
            List<CellRow> found = scanner.next(StepLimit.of(1, Long.MAX_VALUE)).rows();
            boolean there = !found.isEmpty() && found.get(0).row().equals(row);
            return there ? found.get(0) : new CellRow(row, List.of(), false);
        }
    }

    @Override
    public final CompletableFuture<CellRow> getAsync(Bytes row, Selection selection) {
        return CompletableFuture.completedFuture(get(row, selection));
    }

    @Override
    public final List<CellRow> getAll(List<Bytes> rows, Selection selection) {
        List<CellRow> all = new ArrayList<>(rows.size());
        rows.forEach(row -> all.add(get(row, selection)));
        return all;
    }

    @Override
    public final CompletableFuture<List<CellRow>> getAllAsync(List<Bytes> rows, Selection selection) {
        return CompletableFuture.completedFuture(getAll(rows, selection));
    }

    @Override
    public final CellScanner scan(ScanRequest request) {
        NavigableMap<Bytes, List<Cell>> range = range(rows(), request.range());
        return new MetaScanner(request.reversed() ? range.descendingMap() : range, request.selection());
    }

    private NavigableMap<Bytes, List<Cell>> range(NavigableMap<Bytes, List<Cell>> rows, RowRange range) {
        boolean empty = !range.to().isEmpty() && order.compare(range.from(), range.to()) >= 0;
        if (empty) {
            return Collections.emptyNavigableMap();
        }
        NavigableMap<Bytes, List<Cell>> tail = range.from().isEmpty() ? rows : rows.tailMap(range.from(), true);
        return range.to().isEmpty() ? tail : tail.headMap(range.to(), false);
    }
}
