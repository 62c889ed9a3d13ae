package io.polytable.entity.embedded.view;

import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.EntityException;
import io.polytable.frontend.view.ViewImport;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import java.util.List;
import java.util.Map;

/**
 * Imports cells that an {@link EntityCellsView} exported, with their exact bytes. An Avro cell references its schema by
 * a number or a hash of its instance, so each cell is first decoded here, and refused unless it equals the row's text:
 * in an instance with other schema numbers it would silently become another value.
 *
 * @param cells imports into the underlying cell table
 */
record EntityImport(ShownTable table, ViewImport cells) implements ViewImport {
    private static final int FAMILY = 0;
    private static final int COLUMN = 1;
    private static final int TIMESTAMP = 2;
    private static final int TEXT = 3;
    private static final int STORED = 4;

    @Override
    public void write(List<List<Value>> rows) {
        cells.write(rows.stream().map(this::cell).toList());
    }

    /** The row in the underlying view, whose families and qualifiers are ids of the layout. */
    private List<Value> cell(List<Value> row) {
        int keys = table.keys().columns().size();
        List<Value> parts = row.subList(keys, row.size());
        String familyName = text(parts.get(FAMILY));
        String column = text(parts.get(COLUMN));
        Bytes stored = bytes(parts.get(STORED));
        LayoutColumns.Family family = table.columns().families().stream()
                .filter(known -> known.layout().name().equals(familyName))
                .findFirst()
                .orElseThrow(() -> bad("The table has no such family", familyName));
        String qualifier = family.storedQualifier(column)
                .orElseThrow(() -> bad("The table has no such column", familyName + ":" + column));
        boolean isSame = new Value.OfString(table.text(family, column, stored)).equals(parts.get(TEXT));
        if (!isSame) {
            throw bad("A cell reads otherwise here than where it was exported", familyName + ":" + column);
        }
        return List.of(
                new Value.OfBytes(rowKey(row.get(keys - 1))),
                new Value.OfString(family.layout().id()),
                new Value.OfBytes(Bytes.utf8(qualifier)),
                parts.get(TIMESTAMP),
                new Value.OfBytes(stored));
    }

    private Bytes rowKey(Value value) {
        Bytes key = bytes(value);
        try {
            return table.keys().id(key).rowKey();
        } catch (EntityException other) {
            throw ShownTable.failed(other);
        }
    }

    private static String text(Value value) {
        if (value instanceof Value.OfString of) {
            return of.value();
        }
        throw new StoreException(StoreError.BAD_VALUE, "A cell of an entity has a family and a column");
    }

    private static Bytes bytes(Value value) {
        if (value instanceof Value.OfBytes of) {
            return of.value();
        }
        throw new StoreException(StoreError.BAD_VALUE, "A cell of an entity has a row key and its stored bytes");
    }

    private static StoreException bad(String text, String what) {
        return new StoreException(StoreError.BAD_VALUE, text, Map.of("what", what));
    }
}
