package io.polytable.redis.model.view;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.row.Scatter;
import io.polytable.redis.model.row.StringHeader;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Reader;
import org.jspecify.annotations.Nullable;

/** Iterates over all live elements of all keys; a string is one element with an empty sub-key. */
final class LiveElements implements AutoCloseable {
    private final RedisTables tables;
    private final Reader reader;
    private final LiveKeys keys;
    private @Nullable Cursor rows;
    private ElementKind kind = ElementKind.HASH_FIELD;
    private long index;
    private Bytes sub = Bytes.EMPTY;
    private Bytes value = Bytes.EMPTY;

    LiveElements(RedisTables tables, Reader reader, LiveKeys keys) {
        this.tables = tables;
        this.reader = reader;
        this.keys = keys;
    }

    boolean next() {
        while (!nextOfKey()) {
            if (!keys.next()) {
                return false;
            }
            if (keys.header() instanceof StringHeader string) {
                sub = Bytes.EMPTY;
                value = string.value();
                return true;
            }
            open((CollectionHeader) keys.header());
        }
        return true;
    }

    private void open(CollectionHeader header) {
        ElementKind.counted(header.type()).ifPresent(counted -> {
            kind = counted;
            index = 0;
            rows = reader.scan(tables.elements(header.home()), Layout.elements(header.id(), counted));
        });
    }

    private boolean nextOfKey() {
        Cursor cursor = rows;
        if (cursor == null) {
            return false;
        }
        if (!cursor.next()) {
            cursor.close();
            rows = null;
            return false;
        }
        Bytes own = cursor.key().from(kind.scattered() ? Layout.ELEMENT_PREFIX + Scatter.BYTES : Layout.ELEMENT_PREFIX);
        // Where an element of a list lies in its table tells nobody anything; its index does.
        sub = kind == ElementKind.LIST_ELEMENT ? Bytes.of(Long.toString(index).getBytes(US_ASCII)) : own;
        value = cursor.value();
        index++;
        return true;
    }

    LiveKeys key() {
        return keys;
    }

    Bytes sub() {
        return sub;
    }

    /** What Redis would return of it: of a set's or sorted set's member the member itself. */
    Bytes value() {
        Type type = keys.header().type();
        return type == Type.SET || type == Type.ZSET ? sub : value;
    }

    /** Of a sorted set's member. */
    double score() {
        return SortKeys.score(BigEndian.longAt(value, 0));
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
