package io.polytable.sql.model.catalog;

import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.Value;
import io.polytable.table.write.Batch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A system table of definitions as JSON, by name. */
public final class DefinitionRows {
    private final TableStore store;
    private final Table table;
    private final RowCodec codec;

    public DefinitionRows(TableStore store, String name) {
        this.store = store;
        TableSpec spec = new TableSpec(
                new TableName(Catalog.SYSTEM, name),
                TableKind.SYSTEM,
                List.of(new Column("name", ColumnType.STRING), new Column("definition", ColumnType.STRING)),
                List.of(KeyColumn.ascending("name")),
                List.of(),
                TableOptions.DEFAULT);
        table = store.create(spec);
        codec = RowCodec.of(spec);
    }

    public List<String> all() {
        return List.copyOf(byName().values());
    }

    /** The definitions in the order of their names. */
    Map<String, String> byName() {
        Map<String, String> definitions = new LinkedHashMap<>();
        try (Cursor cursor = store.scan(table, KeyRange.ALL)) {
            while (cursor.next()) {
                List<Value> row = codec.row(cursor.key(), cursor.value());
                definitions.put(text(row.get(0)), text(row.get(1)));
            }
        }
        return definitions;
    }

    private static String text(Value value) {
        return value instanceof Value.OfString text ? text.value() : "";
    }

    public void put(Batch batch, String name, String definition) {
        List<Value> row = List.of(new Value.OfString(name), new Value.OfString(definition));
        batch.put(table, codec.key(row), codec.value(row));
    }

    public void delete(Batch batch, String name) {
        RowKey key = codec.keys().encode(List.of(new Value.OfString(name)));
        batch.delete(table, key);
    }

    Table table() {
        return table;
    }
}
