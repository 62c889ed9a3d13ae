package io.polytable.table.testkit;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableOptions;
import io.polytable.table.TableSpec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * Readable rows for tests: the key {@code a/1} is the row {@code 1} of the partition {@code a/}. The slash ends the
 * partition, so that no partition is a prefix of another.
 */
public final class Rows {
    private Rows() {}

    public static TableSpec spec(String name) {
        return new TableSpec(
                new TableName("kit", name),
                TableKind.FACE,
                List.of(
                        new Column("partition", ColumnType.BYTES),
                        new Column("sort", ColumnType.BYTES),
                        new Column("value", ColumnType.BYTES)),
                List.of(KeyColumn.ascending("partition")),
                List.of(KeyColumn.ascending("sort")),
                TableOptions.DEFAULT);
    }

    /** {@code a/1}: everything up to the first slash is the partition. */
    public static RowKey key(String text) {
        return new RowKey(Bytes.utf8(text), partitionLength(text));
    }

    public static Bytes value(String text) {
        return Bytes.utf8(text);
    }

    /** All rows of the partition {@code a/}. */
    public static KeyRange partition(String text) {
        return KeyRange.partition(Bytes.utf8(text));
    }

    /** From one key to before another, in one partition: {@code a/1} to {@code a/5}. */
    public static KeyRange within(String from, String to) {
        return new KeyRange(Bytes.utf8(from), Bytes.utf8(to), partitionLength(from));
    }

    /** From one key to before another, wherever they are. */
    public static KeyRange between(String from, String to) {
        return KeyRange.between(Bytes.utf8(from), Bytes.utf8(to));
    }

    private static int partitionLength(String key) {
        int slash = key.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("no partition in " + key);
        }
        return slash + 1;
    }

    /** The rows as {@code a/1=x}. */
    public static List<String> in(Reader reader, Table table, KeyRange range, Direction direction, long limit) {
        try (Cursor cursor = reader.scan(table, range, direction, limit)) {
            return rest(cursor);
        }
    }

    public static List<String> in(Reader reader, Table table, KeyRange range) {
        return in(reader, table, range, Direction.FORWARD, Long.MAX_VALUE);
    }

    public static List<String> all(Reader reader, Table table) {
        return in(reader, table, KeyRange.ALL);
    }

    /** The remaining rows of the cursor, which the caller closes. */
    public static List<String> rest(Cursor cursor) {
        List<String> rows = new ArrayList<>();
        while (cursor.next()) {
            rows.add(show(cursor.key(), cursor.value()));
        }
        return rows;
    }

    public static String show(Bytes key, Bytes value) {
        return key.utf8() + "=" + value.utf8();
    }
}
