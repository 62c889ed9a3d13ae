package io.polytable.redis.model.view;

import io.polytable.frontend.view.SoughtRows;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.column.ColumnVector;
import io.polytable.table.column.Value;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of one kind of all live streams: entries, groups or pending entries. */
final class LiveStreams implements SoughtRows.Rows {
    private final RedisTables tables;
    private final Reader reader;
    private final LiveKeys keys;
    private final ElementKind kind;
    private final Bytes prefix;
    private @Nullable Cursor rows;
    private List<Value> row = List.of();

    /** @param prefix of the wanted sub-keys; others may be shown nevertheless */
    LiveStreams(RedisTables tables, Reader reader, LiveKeys keys, ElementKind kind, Bytes prefix) {
        this.tables = tables;
        this.reader = reader;
        this.keys = keys;
        this.kind = kind;
        this.prefix = prefix;
    }

    @Override
    public boolean next() {
        while (!nextOfStream()) {
            if (!keys.next()) {
                return false;
            }
            if (keys.header() instanceof CollectionHeader header && header.type() == Type.STREAM) {
                Bytes from = Layout.element(header.id(), kind, prefix).bytes();
                rows = reader.scan(tables.elements(header.home()), KeyRange.inPartition(from, Layout.ELEMENT_PREFIX));
            }
        }
        return true;
    }

    @Override
    public boolean seek(List<Value> wanted) {
        int database = ((Value.OfInt) wanted.get(0)).value();
        Bytes key = ((Value.OfBytes) wanted.get(1)).value();
        if (!keys.seek(database, key) || keys.header().type() != Type.STREAM) {
            return false;
        }
        CollectionHeader header = (CollectionHeader) keys.header();
        Bytes sub = StreamValues.sub(kind, wanted);
        Optional<Bytes> found = reader.read(tables.elements(header.home()), Layout.element(header.id(), kind, sub));
        found.ifPresent(stored -> row = StreamValues.row(kind, database, key, sub, stored));
        return found.isPresent();
    }

    private boolean nextOfStream() {
        Cursor cursor = rows;
        if (cursor == null) {
            return false;
        }
        if (!cursor.next()) {
            cursor.close();
            rows = null;
            return false;
        }
        Bytes sub = cursor.key().from(Layout.ELEMENT_PREFIX);
        row = StreamValues.row(kind, keys.database(), keys.key(), sub, cursor.value());
        return true;
    }

    @Override
    public void add(int column, ColumnVector target) {
        target.add(row.get(column));
    }

    @Override
    public void close() {
        Cursor cursor = rows;
        if (cursor != null) {
            cursor.close();
        }
        keys.close();
    }
}
