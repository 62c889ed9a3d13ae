package io.polytable.table.view;

import io.polytable.table.Column;
import io.polytable.table.Direction;
import io.polytable.table.KeyColumn;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableSpec;
import io.polytable.table.codec.KeyCodec;
import io.polytable.table.codec.RowCodec;
import java.util.List;

/**
 * The view of an ordinary typed table: its rows as {@link RowCodec} encodes them, under the table's own name. Its
 * columns are those at the time the view was created, so that {@link #columns()} and the rows always agree; after a
 * column was added, create another view.
 *
 * <p>Ranges of leading key columns become a key range; others are tested row by row.
 */
public final class SpecView implements TableView {
    private final Table table;
    private final TableSpec spec;
    private final RowCodec codec;

    public SpecView(Table table) {
        this.table = table;
        spec = table.spec();
        codec = RowCodec.of(spec);
    }

    @Override
    public TableName name() {
        return spec.name();
    }

    @Override
    public List<Column> columns() {
        return spec.columns();
    }

    @Override
    public List<String> key() {
        return spec.keyColumns().stream().map(KeyColumn::column).toList();
    }

    @Override
    public BatchCursor open(Reader reader, ViewScan scan) {
        List<Column> unusedChecked = scan.columnsOf(this);
        KeyCodec keys = codec.keys();
        List<Column> others = keys.columns().stream()
                .skip(keys.pushedDown(scan.ranges()))
                .filter(column -> scan.ranges().containsKey(column.name()))
                .toList();
        RangeFilters filters = new RangeFilters(others, scan.ranges());
        long limit = filters.isEmpty() ? scan.limit() : Long.MAX_VALUE;
        KeyRange range = keys.range(scan.ranges());
        return new SpecBatches(codec, scan, filters, reader.scan(table, range, Direction.FORWARD, limit));
    }
}
