package io.polytable.table.codec;

import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableSpec;
import io.polytable.table.TableStore;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Encodes whole rows of an ordinary typed table, one {@link Value} for each column of its spec, as the key and value
 * that a {@link TableStore} keeps.
 */
public final class RowCodec {
    private final TableSpec spec;
    private final KeyCodec keys;
    private final ValueCodec values;

    /** For each key column, and for each other column, its index in the row. */
    private final List<Integer> keyPlaces;

    private final List<Integer> valuePlaces;

    private RowCodec(TableSpec spec) {
        this.spec = spec;
        keys = KeyCodec.of(spec);
        values = ValueCodec.of(spec);
        keyPlaces = spec.keyColumns().stream()
                .map(key -> spec.indexOf(key.column()))
                .toList();
        valuePlaces = values.columns().stream()
                .map(column -> spec.indexOf(column.name()))
                .toList();
    }

    public static RowCodec of(TableSpec spec) {
        return new RowCodec(spec);
    }

    public KeyCodec keys() {
        return keys;
    }

    public ValueCodec values() {
        return values;
    }

    public RowKey key(List<Value> row) {
        return keys.encode(picked(row, keyPlaces));
    }

    public Bytes value(List<Value> row) {
        return values.encode(picked(row, valuePlaces));
    }

    private List<Value> picked(List<Value> row, List<Integer> places) {
        if (row.size() != spec.columns().size()) {
            throw new StoreException(
                    StoreError.BAD_VALUE,
                    "A row has another number of columns",
                    Map.of("columns", spec.columns().size(), "values", row.size()));
        }
        return places.stream().map(row::get).toList();
    }

    public List<Value> row(Bytes key, Bytes value) {
        List<Value> row = new ArrayList<>(Collections.nCopies(spec.columns().size(), new Value.Absent()));
        place(row, keyPlaces, keys.decode(key));
        place(row, valuePlaces, values.decode(value));
        return row;
    }

    private static void place(List<Value> row, List<Integer> places, List<Value> decoded) {
        for (int i = 0; i < places.size(); i++) {
            row.set(places.get(i), decoded.get(i));
        }
    }
}
