package io.polytable.hbase.meta;

import io.polytable.cells.Cell;
import io.polytable.cells.CellRow;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.RowRange;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.store.CellReads;
import io.polytable.cells.store.CellScanner;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Tables;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;

/**
 * {@code hbase:meta}, which clients read to locate regions and get states of tables. It is a view of the catalog,
 * rebuilt by the first read after a change.
 */
public final class MetaTable implements CellReads {
    public static final TableName NAME = new TableName("hbase", "meta");
    public static final CellTableSpec SPEC =
            CellTableSpec.of(NAME, FamilySpec.of(MetaRows.INFO).withVersions(0, 3), FamilySpec.of(MetaRows.TABLE));

    private record Built(Tables of, NavigableMap<Bytes, List<Cell>> rows) {}

    private final Catalog catalog;
    private final ServerAddress address;
    private volatile Built built;

    public MetaTable(Catalog catalog, ServerAddress address) {
        this.catalog = catalog;
        this.address = address;
        built = build(catalog.tables());
    }

    private Built build(Tables tables) {
        return new Built(tables, MetaRows.of(tables, address));
    }

    private NavigableMap<Bytes, List<Cell>> rows() {
        Tables now = catalog.tables();
        // A slower thread may replace the field by what it built from older tables.
        Built known = built;
        if (known.of() != now) {
            known = build(now);
            built = known;
        }
        return known.rows();
    }

    @Override
    public CellRow get(Bytes row, Selection selection) {
        try (CellScanner scanner = scan(ScanRequest.of(RowRange.of(row), selection))) {
            List<CellRow> found = scanner.next(StepLimit.of(1, Long.MAX_VALUE)).rows();
            boolean there = !found.isEmpty() && found.get(0).row().equals(row);
            return there ? found.get(0) : new CellRow(row, List.of(), false);
        }
    }

    @Override
    public CompletableFuture<CellRow> getAsync(Bytes row, Selection selection) {
        return CompletableFuture.completedFuture(get(row, selection));
    }

    @Override
    public List<CellRow> getAll(List<Bytes> rows, Selection selection) {
        List<CellRow> all = new ArrayList<>(rows.size());
        rows.forEach(row -> all.add(get(row, selection)));
        return all;
    }

    @Override
    public CompletableFuture<List<CellRow>> getAllAsync(List<Bytes> rows, Selection selection) {
        return CompletableFuture.completedFuture(getAll(rows, selection));
    }

    @Override
    public CellScanner scan(ScanRequest request) {
        NavigableMap<Bytes, List<Cell>> range = range(rows(), request.range());
        return new MetaScanner(request.reversed() ? range.descendingMap() : range, request.selection());
    }

    private static NavigableMap<Bytes, List<Cell>> range(NavigableMap<Bytes, List<Cell>> rows, RowRange range) {
        boolean empty = !range.to().isEmpty() && MetaRows.ORDER.compare(range.from(), range.to()) >= 0;
        if (empty) {
            return Collections.emptyNavigableMap();
        }
        NavigableMap<Bytes, List<Cell>> tail = range.from().isEmpty() ? rows : rows.tailMap(range.from(), true);
        return range.to().isEmpty() ? tail : tail.headMap(range.to(), false);
    }
}
