package io.polytable.redis.model.view;

import io.polytable.frontend.view.ViewScan;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.stream.StreamRows;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.column.ColumnRange;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows that a scan of a view must read: a known key is one row per database, a known database a part of each
 * table. Rows are in hash order, so ranges of keys save nothing; the view tests them row by row.
 */
final class ScanScope {
    private final RedisTables tables;
    private final ViewScan scan;
    private final List<Integer> parts;
    private final String keyColumn;

    /** @param parts the key tables that the view shows */
    ScanScope(RedisTables tables, ViewScan scan, List<Integer> parts) {
        this(tables, scan, parts, "redis_key");
    }

    /** @param keyColumn the column that has the Redis key */
    ScanScope(RedisTables tables, ViewScan scan, List<Integer> parts, String keyColumn) {
        this.tables = tables;
        this.scan = scan;
        this.parts = parts;
        this.keyColumn = keyColumn;
    }

    /** The prefix of the sub-keys of a stream's rows, as far as the scan restricts them. */
    Bytes streamPrefix(ElementKind kind) {
        if (kind == ElementKind.STREAM_ENTRY) {
            return onlyValue(StreamValues.ENTRY_ID)
                    .flatMap(value ->
                            value instanceof Value.OfString text ? StreamValues.id(text.value()) : Optional.empty())
                    .map(StreamId::bytes)
                    .orElse(Bytes.EMPTY);
        }
        Optional<Bytes> group = only(StreamValues.GROUP_NAME);
        return kind == ElementKind.STREAM_GROUP
                ? group.orElse(Bytes.EMPTY)
                : group.map(StreamRows::ofGroup).orElse(Bytes.EMPTY);
    }

    /** The only value that the scan allows for a column, if there is one. */
    Optional<Bytes> only(String column) {
        return onlyValue(column).map(value -> value instanceof Value.OfBytes bytes ? bytes.value() : Bytes.EMPTY);
    }

    private Optional<Value> onlyValue(String column) {
        return Optional.ofNullable(scan.ranges().get(column)).flatMap(ColumnRange::onlyValue);
    }

    /** The key rows to read; at least one range, which may be empty. */
    KeyRows keys(Reader reader) {
        List<KeyRows.Stretch> stretches = new ArrayList<>();
        Optional<Bytes> key = only(keyColumn);
        boolean everywhere = key.isEmpty() && onlyValue("db").isEmpty();
        for (int part : parts) {
            if (everywhere) {
                stretches.add(new KeyRows.Stretch(part, KeyRange.ALL));
            } else if (key.isEmpty() || tables.part(key.get()) == part) {
                databases(reader).forEach(db -> stretches.add(new KeyRows.Stretch(part, range(db, key))));
            }
        }
        KeyRange nothing = KeyRange.between(Layout.database(0), Layout.database(0));
        return new KeyRows(
                tables, reader, stretches.isEmpty() ? List.of(new KeyRows.Stretch(parts.get(0), nothing)) : stretches);
    }

    private KeyRange range(int physicalDatabase, Optional<Bytes> key) {
        return key.map(known ->
                        Layout.justKey(physicalDatabase, tables.keyedHash().of(known), known))
                .orElseGet(() -> KeyRange.partition(Layout.database(physicalDatabase)));
    }

    /** The physical databases that may be shown. */
    private List<Integer> databases(Reader reader) {
        Databases databases = tables.databases(reader);
        return IntStream.range(0, Databases.COUNT)
                .filter(db -> onlyValue("db")
                        .map(only -> only.equals(new Value.OfInt(db)))
                        .orElse(true))
                .map(databases::physical)
                .boxed()
                .toList();
    }
}
