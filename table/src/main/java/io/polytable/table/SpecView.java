package io.polytable.table;

import java.util.List;

/**
 * The view of an ordinary typed table: its rows as {@link RowCodec} keeps them, shown under the table's own name. It
 * shows the columns that the table had when the view was made, so that {@link #columns()} and the rows always agree;
 * after a column was added, make another.
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
    public RowCursor open(Reader reader) {
        return open(reader, KeyRange.ALL);
    }

    /** The rows of a range only. */
    public RowCursor open(Reader reader, KeyRange range) {
        return new DecodingCursor(codec, reader.scan(table, range));
    }

    private record DecodingCursor(RowCodec codec, Cursor cursor) implements RowCursor {
        @Override
        public boolean next() {
            return cursor.next();
        }

        @Override
        public List<Value> row() {
            return codec.row(cursor.key(), cursor.value());
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
