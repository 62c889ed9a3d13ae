package io.polytable.sql.model.row;

import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlType;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableKind;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import io.polytable.table.codec.KeyReader;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows of a table as keys and values. The key is (user id, timestamp or nothing, primary key or row id), by the
 * kind of table. The value has the format of docs/formats/rows.md, so that {@code SpecView} can read it too. The place
 * of a stored value never changes: a dropped column leaves a gap, an added one comes last, and rows of older schema
 * versions remain readable.
 */
public final class RowFormat {
    private static final int VERSION = 1;
    private static final String USER_ID = "_user_id";
    private static final String TIMESTAMP = "_timestamp";

    private static final int UPDATED_PLACE = 0;
    private static final int DELETED_PLACE = 1;

    private final TableDef def;

    /** Indexes of the key columns in the list of columns. */
    private final int[] keyColumns;

    private final SqlType[] types;

    /** For each place, the index of its column; -1 for a system column or a gap. */
    private final int[] columnAt;

    private final ColumnType[] physicalAt;

    /** For each place, the value of rows older than its column; all null if no column was added with a default. */
    private final @Nullable Object[] initialAt;

    /** The least number of places that a row stores, so that a NULL differs from a row older than the column. */
    private final int countMin;

    public RowFormat(TableDef def, TableSpec spec) {
        this.def = def;
        keyColumns = def.key().stream().mapToInt(def::indexOfId).toArray();
        types = def.columns().stream().map(ColumnDef::type).toArray(SqlType[]::new);
        List<Column> stored = stored(spec);
        columnAt = new int[stored.size()];
        physicalAt = stored.stream().map(Column::type).toArray(ColumnType[]::new);
        Arrays.fill(columnAt, -1);
        initialAt = new Object[columnAt.length];
        int least = firstPlace(def.kind());
        for (int i = 0; i < def.columns().size(); i++) {
            ColumnDef column = def.columns().get(i);
            if (column.place() < 0) {
                continue;
            }
            columnAt[column.place()] = i;
            if (column.initialText() != null) {
                initialAt[column.place()] = Casts.to(column.type(), column.initialText());
                least = Math.max(least, column.place() + 1);
            }
        }
        countMin = least;
    }

    /** The store's columns outside the key, by place. */
    public static List<Column> stored(TableSpec spec) {
        List<String> key = spec.keyColumns().stream().map(KeyColumn::column).toList();
        return spec.columns().stream()
                .filter(column -> !key.contains(column.name()))
                .toList();
    }

    /** The first place that is not a system column. */
    public static int firstPlace(TableKind kind) {
        return kind == TableKind.STREAM ? 0 : DELETED_PLACE + 1;
    }

    /** The spec of the table that holds the rows in the store. */
    public static TableSpec spec(TableDef def, TableOptions options) {
        List<Column> columns = new ArrayList<>();
        List<String> key = new ArrayList<>();
        switch (def.kind()) {
            case USER -> addKey(columns, key, new Column(USER_ID, ColumnType.STRING));
            case STREAM -> addKey(columns, key, new Column(TIMESTAMP, ColumnType.BIGINT));
            case SHARED, SYSTEM, FACE -> {}
        }
        for (int id : def.key()) {
            addKey(columns, key, physical(def.columns().get(def.indexOfId(id))));
        }
        if (def.hasRowId()) {
            addKey(columns, key, new Column(TableDef.ROW_ID, ColumnType.BIGINT));
        }
        if (def.hasSystemColumns()) {
            columns.add(new Column(TableDef.UPDATED, ColumnType.TIMESTAMP));
            columns.add(new Column(TableDef.DELETED, ColumnType.BOOLEAN));
        }
        def.columns().stream().filter(column -> column.place() >= 0).forEach(column -> columns.add(physical(column)));
        List<KeyColumn> sort = key.stream().skip(1).map(KeyColumn::ascending).toList();
        return new TableSpec(
                def.physical(), def.kind(), columns, List.of(KeyColumn.ascending(key.get(0))), sort, options);
    }

    private static void addKey(List<Column> columns, List<String> key, Column column) {
        columns.add(column);
        key.add(column.name());
    }

    private static Column physical(ColumnDef column) {
        return new Column(column.name(), StoredValues.physical(column.type()));
    }

    /** Writes what precedes the primary key: the user, or the timestamp of an event. */
    KeyWriter startKey(KeyWriter out, Scope scope) {
        switch (def.kind()) {
            case USER -> out.string(scope.user(), SortOrder.ASCENDING);
            case STREAM -> out.i64(scope.millis(), SortOrder.ASCENDING);
            case SHARED, SYSTEM, FACE -> {}
        }
        return out;
    }

    /**
     * The user of a row, and the time of an event.
     *
     * @param millis the time of an event of a stream
     */
    public record Scope(String user, long millis) {}

    public RowKey key(Scope scope, @Nullable Object[] row, long rowId) {
        KeyWriter out = startKey(new KeyWriter(), scope);
        int partition = out.length();
        if (def.hasRowId()) {
            out.i64(rowId, SortOrder.ASCENDING);
            partition = partition == 0 ? out.length() : partition;
        }
        for (int index : keyColumns) {
            Object value = row[index];
            if (value == null) {
                throw new IllegalStateException("A key column is null");
            }
            StoredValues.writeKey(out, types[index], value);
            partition = partition == 0 ? out.length() : partition;
        }
        return new RowKey(out.toBytes(), partition);
    }

    public Bytes value(@Nullable Object[] row, Instant updated, boolean deleted) {
        int count = columnAt.length;
        while (count > countMin && isAbsent(row, count - 1)) {
            count--;
        }
        BytesWriter out = new BytesWriter(64);
        out.u8(VERSION).varint(count);
        for (int start = 0; start < count; start += 8) {
            int bits = 0;
            for (int place = start; place < Math.min(start + 8, count); place++) {
                bits |= isAbsent(row, place) ? 0 : 1 << (place - start);
            }
            out.u8(bits);
        }
        if (def.hasSystemColumns()) {
            out.i64(StoredValues.micros(updated)).u8(deleted ? 1 : 0);
        }
        for (int place = firstPlace(def.kind()); place < count; place++) {
            Object value = columnAt[place] < 0 ? null : row[columnAt[place]];
            if (value != null) {
                StoredValues.writeRow(out, types[columnAt[place]], value);
            }
        }
        return out.toBytes();
    }

    private boolean isAbsent(@Nullable Object[] row, int place) {
        if (place < firstPlace(def.kind())) {
            return false;
        }
        return columnAt[place] < 0 || row[columnAt[place]] == null;
    }

    public StoredRow row(Bytes key, Bytes value) {
        @Nullable Object[] row = new Object[types.length];
        readKey(key, row);
        BytesReader in = new BytesReader(value);
        int count = readHeader(in);
        Bytes presence = in.raw((count + 7) / 8);
        Instant updated = Instant.EPOCH;
        boolean deleted = false;
        for (int place = 0; place < count; place++) {
            if ((presence.at(place >> 3) >> (place & 7) & 1) == 0) {
                continue;
            }
            if (place >= columnAt.length) {
                break;
            }
            if (place < firstPlace(def.kind())) {
                if (place == UPDATED_PLACE) {
                    updated = StoredValues.instant(in.i64());
                } else {
                    deleted = in.u8() == 1;
                }
            } else if (columnAt[place] < 0) {
                StoredValues.skip(in, physicalAt[place]);
            } else {
                row[columnAt[place]] = StoredValues.readRow(in, types[columnAt[place]]);
            }
        }
        for (int place = count; place < countMin; place++) {
            if (columnAt[place] >= 0) {
                row[columnAt[place]] = initialAt[place];
            }
        }
        return new StoredRow(new RowKey(key, partitionLength(key, row)), row, updated, deleted);
    }

    /** The rows of a user are one partition; otherwise the rows that share the first key column are. */
    private int partitionLength(Bytes key, @Nullable Object[] row) {
        KeyWriter first = new KeyWriter();
        switch (def.kind()) {
            case USER -> first.bytes(new KeyReader(key).bytes(SortOrder.ASCENDING), SortOrder.ASCENDING);
            case STREAM -> first.i64(0, SortOrder.ASCENDING);
            case SHARED, SYSTEM, FACE -> {
                Object value = keyColumns.length == 0 ? null : row[keyColumns[0]];
                if (value == null) {
                    return key.length();
                }
                StoredValues.writeKey(first, types[keyColumns[0]], value);
            }
        }
        return first.length();
    }

    public void readKey(Bytes key, @Nullable Object[] row) {
        if (keyColumns.length == 0) {
            return;
        }
        KeyReader in = new KeyReader(key);
        switch (def.kind()) {
            case USER -> in.bytes(SortOrder.ASCENDING);
            case STREAM -> in.i64(SortOrder.ASCENDING);
            case SHARED, SYSTEM, FACE -> {}
        }
        for (int index : keyColumns) {
            row[index] = StoredValues.readKey(in, types[index]);
        }
    }

    /** The column of the store's table that holds the column at the index. */
    public Column physical(int index, TableSpec spec) {
        int place = def.columns().get(index).place();
        if (place >= 0) {
            return stored(spec).get(place);
        }
        int inKey = 0;
        while (keyColumns[inKey] != index) {
            inKey++;
        }
        int before = spec.keyColumns().size() - keyColumns.length;
        String name = spec.keyColumns().get(before + inKey).column();
        return spec.columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Whether rows older than a column have a default there, which their bytes do not contain. */
    public boolean hasInitials() {
        return countMin > firstPlace(def.kind());
    }

    /**
     * Whether the value of a row with system columns is a tombstone; these columns come first and are always present.
     */
    public static boolean isDeleted(ByteSlice value) {
        byte[] bytes = value.array();
        int at = value.offset() + 1;
        int count = 0;
        int shift = 0;
        while (true) {
            byte b = bytes[at++];
            count |= (b & 0x7f) << shift;
            if (b >= 0) {
                break;
            }
            shift += 7;
        }
        return bytes[at + (count + 7) / 8 + Long.BYTES] == 1;
    }

    private static int readHeader(BytesReader in) {
        int version = in.u8();
        if (version != VERSION) {
            throw new StoreException(
                    version > VERSION ? StoreError.NEWER_FORMAT : StoreError.CORRUPT, "Not a row of this version");
        }
        return (int) in.varint();
    }

    public int[] keyColumns() {
        return keyColumns;
    }
}
