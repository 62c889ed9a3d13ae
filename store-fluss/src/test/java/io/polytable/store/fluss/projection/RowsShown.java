package io.polytable.store.fluss.projection;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import io.polytable.table.view.Projection;
import io.polytable.table.view.ShownTable;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The plainest projection: each row of a table as one row, and a note about each. */
final class RowsShown implements Projection {
    private final Table source;
    private final ShownTable shown;

    RowsShown(Table source, String name) {
        this.source = source;
        this.shown = new ShownTable(
                new TableName("test", name),
                List.of(new Column("k", ColumnType.BYTES), new Column("v", ColumnType.BYTES)),
                List.of("k"),
                1);
    }

    @Override
    public List<ShownTable> tables() {
        return List.of(shown);
    }

    @Override
    public Set<Table> sources() {
        return Set.of(source);
    }

    @Override
    public Session begin(Notes notes) {
        return snapshot -> new RowsWindow(snapshot, notes);
    }

    private final class RowsWindow implements Window {
        private final Snapshot snapshot;
        private final Notes notes;

        RowsWindow(Snapshot snapshot, Notes notes) {
            this.snapshot = snapshot;
            this.notes = notes;
        }

        @Override
        public void touchedBy(List<Change> changes, Touched touched) {
            for (Change change : changes) {
                touched.row(shown, List.of(new Value.OfBytes(change.key())));
                notes.put(change.key(), Bytes.utf8("shown"));
            }
        }

        @Override
        public void everything(Touched touched) {
            try (Cursor cursor = snapshot.scan(source, KeyRange.ALL)) {
                while (cursor.next()) {
                    touched.row(shown, List.of(new Value.OfBytes(cursor.key())));
                }
            }
        }

        @Override
        public Optional<List<Value>> row(ShownTable table, List<Value> key) {
            Bytes bytes = ((Value.OfBytes) key.get(0)).value();
            return snapshot.read(source, RowKey.whole(bytes))
                    .map(value -> List.of(new Value.OfBytes(bytes), new Value.OfBytes(value)));
        }

        @Override
        public void end() {
            // Nothing is kept from window to window.
        }
    }
}
