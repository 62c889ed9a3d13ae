package io.polytable.store.fluss.projection;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.RowLookup;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewRows;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import java.util.List;
import java.util.Set;

/** The plainest views to follow: each row of a table as one row, and a note about each. */
final class RowsShown implements FollowedViews {
    private final Table source;
    private final View shown;

    RowsShown(Table source, String name) {
        this.source = source;
        this.shown = new RowsView(source, new TableName("test", name));
    }

    private record RowsView(Table source, TableName name) implements View {
        @Override
        public List<Column> columns() {
            return List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES));
        }

        @Override
        public List<String> key() {
            return List.of("k");
        }

        @Override
        public RowLookup lookup(Reader reader) {
            return key -> {
                Bytes bytes = ((Value.OfBytes) key.get(0)).value();
                return reader.read(source, RowKey.whole(bytes))
                        .map(value -> List.of(new Value.OfBytes(bytes), new Value.OfBytes(value)));
            };
        }

        @Override
        public ViewRows candidates(Reader reader, ViewScan scan) {
            Cursor cursor = reader.scan(source, KeyRange.ALL);
            return new ViewRows() {
                @Override
                public boolean next() {
                    return cursor.next();
                }

                @Override
                public void add(int column, ColumnVector target) {
                    target.add(new Value.OfBytes(column == 0 ? cursor.key() : cursor.value()));
                }

                @Override
                public void close() {
                    cursor.close();
                }
            };
        }
    }

    @Override
    public List<View> views() {
        return List.of(shown);
    }

    @Override
    public Set<Table> sources() {
        return Set.of(source);
    }

    @Override
    public Session begin(Notes notes) {
        return end -> new Window() {
            @Override
            public void touchedBy(List<Change> changes, Touched touched) {
                for (Change change : changes) {
                    touched.row(shown, List.of(new Value.OfBytes(change.key())));
                    notes.put(change.key(), Bytes.utf8("shown"));
                }
            }

            @Override
            public void everything(Touched touched) {
                try (View.RowCursor rows = shown.rows(end, ViewScan.of(shown.key()))) {
                    while (rows.next()) {
                        touched.row(shown, rows.row());
                    }
                }
            }
        };
    }
}
