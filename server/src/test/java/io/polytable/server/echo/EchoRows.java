package io.polytable.server.echo;

import io.polytable.frontend.Findings;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.view.View;
import io.polytable.frontend.view.ViewRows;
import io.polytable.frontend.view.ViewScan;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.Value;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;

/** The rows of the protocol, what others see of them, and their check: the key is a line, the value who sent it last. */
record EchoRows(TableStore store, Table table) implements View {
    static final TableName NAME = new TableName("default", "echo_lines");

    private static final List<Column> COLUMNS =
            List.of(new Column("line", ColumnType.STRING), new Column("client", ColumnType.STRING));

    static EchoRows of(TableStore store) {
        List<KeyColumn> key = List.of(KeyColumn.ascending("line"));
        TableSpec spec = new TableSpec(NAME, TableKind.FACE, COLUMNS, key, List.of(), TableOptions.DEFAULT);
        return new EchoRows(store, store.create(spec));
    }

    Commit put(String line, String client) {
        Commit commit = store.commit(new Batch().put(table, RowKey.whole(Bytes.utf8(line)), Bytes.utf8(client)));
        store.flush();
        return commit;
    }

    /** A line without a client is damaged; nothing says who sent it, so a repair removes it. */
    Findings verify(boolean repair) {
        List<Bytes> damaged = new ArrayList<>();
        long count = 0;
        try (Cursor rows = store.scan(table, KeyRange.ALL)) {
            for (; rows.next(); count++) {
                if (rows.value().isEmpty()) {
                    damaged.add(rows.key());
                }
            }
        }
        Findings found = Findings.of("Checked " + count + " echoed lines", damaged, damaged.size());
        if (damaged.isEmpty() || !repair) {
            return found;
        }
        Batch removed = new Batch();
        damaged.forEach(line -> removed.delete(table, RowKey.whole(line)));
        AnswerGate.settle(store.commit(removed));
        return verify(false).repaired(damaged.size());
    }

    @Override
    public TableName name() {
        return NAME;
    }

    @Override
    public List<Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<String> key() {
        return List.of("line");
    }

    @Override
    public ViewRows candidates(Reader reader, ViewScan scan) {
        Cursor cursor = reader.scan(table, KeyRange.ALL);
        return new ViewRows() {
            @Override
            public boolean next() {
                return cursor.next();
            }

            @Override
            public void add(int column, ColumnVector target) {
                target.add(new Value.OfString((column == 0 ? cursor.key() : cursor.value()).utf8()));
            }

            @Override
            public void close() {
                cursor.close();
            }
        };
    }
}
