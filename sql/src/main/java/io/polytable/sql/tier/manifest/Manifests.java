package io.polytable.sql.tier.manifest;

import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.type.LruCache;
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
import io.polytable.table.TableStore;
import io.polytable.table.codec.KeyReader;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.codec.RowCodec;
import io.polytable.table.column.Column;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.KeyColumn;
import io.polytable.table.column.SortOrder;
import io.polytable.table.column.Value;
import io.polytable.table.write.Batch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Stores manifests in two system tables: {@code manifests} has the current one of each scope, {@code manifest_history}
 * every version until its retention ends. One commit writes both. Keys begin with the table id of the store, which is
 * never reused, so leftovers of a dropped table cannot appear under another.
 */
public final class Manifests {
    /** The table of the current manifests. */
    public static final TableName TABLE = new TableName(Catalog.SYSTEM, "manifests");

    /** Limit of the cache, by the size of the stored rows. */
    private static final long PARSED_BYTES_MAX = 16L << 20;

    private static final int ENTRY_BYTES = 200;

    private final TableStore store;
    private final Table current;
    private final RowCodec currentCodec;
    private final Table history;
    private final RowCodec historyCodec;

    /** Caches the last parsed manifest of each scope: lookups by key use the same few repeatedly. */
    private final LruCache<Place, Parsed> parsed = new LruCache<>(
            PARSED_BYTES_MAX, (place, known) -> ENTRY_BYTES + known.row().length());

    private record Place(int table, String scope) {}

    private record Parsed(Bytes row, Manifest manifest) {}

    public Manifests(TableStore store) {
        this.store = store;
        TableSpec spec = spec(TABLE.name(), List.of());
        TableSpec historySpec = spec("manifest_history", List.of("version"));
        current = store.create(spec);
        currentCodec = RowCodec.of(spec);
        history = store.create(historySpec);
        historyCodec = RowCodec.of(historySpec);
    }

    private static TableSpec spec(String name, List<String> more) {
        List<Column> columns = new ArrayList<>(
                List.of(new Column("table_id", ColumnType.INT), new Column("scope", ColumnType.STRING)));
        List<KeyColumn> sort = new ArrayList<>(List.of(KeyColumn.ascending("scope")));
        for (String column : more) {
            columns.add(new Column(column, ColumnType.BIGINT));
            sort.add(KeyColumn.ascending(column));
        }
        columns.add(new Column("manifest", ColumnType.STRING));
        return new TableSpec(
                new TableName(Catalog.SYSTEM, name),
                TableKind.SYSTEM,
                columns,
                List.of(KeyColumn.ascending("table_id")),
                sort,
                TableOptions.DEFAULT);
    }

    private static RowKey key(int table, String scope) {
        KeyWriter out = new KeyWriter().i32(table, SortOrder.ASCENDING);
        int partition = out.length();
        return new RowKey(out.string(scope, SortOrder.ASCENDING).toBytes(), partition);
    }

    private static KeyRange ofTable(int table) {
        return KeyRange.partition(
                new KeyWriter().i32(table, SortOrder.ASCENDING).toBytes());
    }

    public Optional<Manifest> current(Reader reader, int table, String scope) {
        Optional<Bytes> row = reader.read(current, key(table, scope));
        if (row.isEmpty()) {
            return Optional.empty();
        }
        Place place = new Place(table, scope);
        Parsed known = parsed.get(place);
        if (known == null || !known.row().equals(row.get())) {
            known = new Parsed(
                    row.get().copy(),
                    manifest(currentCodec
                            .row(key(table, scope).bytes(), row.get())
                            .get(2)));
            parsed.put(place, known);
        }
        return Optional.of(known.manifest());
    }

    private static Manifest manifest(Value value) {
        return ManifestJson.parse(value instanceof Value.OfString text ? text.value() : "");
    }

    /** Calls the action for the current manifest of each scope. */
    public void forEach(Reader reader, int table, Consumer<Manifest> action) {
        try (Walk walk = walk(reader, table)) {
            while (walk.next()) {
                action.accept(walk.manifest());
            }
        }
    }

    public Walk walk(Reader reader, int table) {
        return walk(reader, table, "");
    }

    /** The current manifests, beginning with a scope. */
    public Walk walk(Reader reader, int table, String from) {
        RowKey first = key(table, from);
        KeyRange range = new KeyRange(first.bytes(), ofTable(table).to(), first.partitionLength());
        return new Walk(reader.scan(current, range), currentCodec);
    }

    /** All versions of all scopes of a table. */
    public Walk historyWalk(Reader reader, int table) {
        return new Walk(reader.scan(history, ofTable(table)), historyCodec);
    }

    /** A cursor over manifests, by scope and version. */
    public static final class Walk implements AutoCloseable {
        private final Cursor cursor;
        private final RowCodec codec;

        private Walk(Cursor cursor, RowCodec codec) {
            this.cursor = cursor;
            this.codec = codec;
        }

        public boolean next() {
            return cursor.next();
        }

        public Manifest manifest() {
            List<Value> row = codec.row(cursor.key(), cursor.value());
            return Manifests.manifest(row.get(row.size() - 1));
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    public Optional<Manifest> version(Reader reader, int table, String scope, long version) {
        return reader.read(history, historyKey(table, scope, version))
                .map(row -> manifest(historyCodec
                        .row(historyKey(table, scope, version).bytes(), row)
                        .get(3)));
    }

    /** The next version number of a scope: larger than any in the history. */
    public long nextVersion(Reader reader, int table, String scope) {
        RowKey key = key(table, scope);
        KeyRange range = KeyRange.inPartition(key.bytes(), key.partitionLength());
        try (Cursor cursor = reader.scan(history, range, Direction.REVERSE, 1)) {
            if (!cursor.next()) {
                return 1;
            }
            KeyReader in = new KeyReader(cursor.key());
            in.i32(SortOrder.ASCENDING);
            in.string(SortOrder.ASCENDING);
            return in.i64(SortOrder.ASCENDING) + 1;
        }
    }

    private static RowKey historyKey(int table, String scope, long version) {
        RowKey scopeKey = key(table, scope);
        return new RowKey(
                scopeKey.bytes()
                        .concat(new KeyWriter()
                                .i64(version, SortOrder.ASCENDING)
                                .toBytes()),
                scopeKey.partitionLength());
    }

    /** Writes the manifest as the current one of its scope, and into the history. */
    public void put(Batch batch, Manifest manifest) {
        List<Value> row = List.of(
                new Value.OfInt(manifest.tableId()),
                new Value.OfString(manifest.scope()),
                new Value.OfString(ManifestJson.text(manifest)));
        batch.put(current, currentCodec.key(row), currentCodec.value(row));
        putPast(batch, manifest);
    }

    private void putPast(Batch batch, Manifest manifest) {
        List<Value> row = List.of(
                new Value.OfInt(manifest.tableId()),
                new Value.OfString(manifest.scope()),
                new Value.OfBigint(manifest.version()),
                new Value.OfString(ManifestJson.text(manifest)));
        batch.put(history, historyCodec.key(row), historyCodec.value(row));
    }

    /** Deletes a version from the history. */
    public void deleteVersion(Batch batch, Manifest manifest) {
        batch.delete(history, historyKey(manifest.tableId(), manifest.scope(), manifest.version()));
    }

    /**
     * Deletes the current manifests of all scopes and writes an empty version into the history: the retention of all
     * older versions of all scopes counts from then on.
     */
    public void empty(Batch batch, int table, Instant now) {
        forget(batch, table);
        long version = nextVersion(store, table, "");
        putPast(batch, new Manifest("", table, "", version, now, Map.of(), List.of()));
    }

    /** Deletes the current manifests of all scopes; the history stays. */
    public void forget(Batch batch, int table) {
        batch.deleteRange(current, ofTable(table));
    }

    /** The ids of all tables that have or had segments. */
    public Set<Integer> tables(Reader reader) {
        Set<Integer> tables = new HashSet<>();
        for (Table each : List.of(current, history)) {
            try (Cursor cursor = reader.scan(each, KeyRange.ALL)) {
                boolean more = cursor.next();
                while (more) {
                    int table = new KeyReader(cursor.key()).i32(SortOrder.ASCENDING);
                    tables.add(table);
                    Bytes after = new KeyWriter()
                            .i32(table, SortOrder.ASCENDING)
                            .toBytes()
                            .successorOfPrefix();
                    more = !after.isEmpty() && cursor.seek(after);
                }
            }
        }
        return tables;
    }
}
