package io.polytable.redis.model.stream;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import java.util.Optional;

/** The rows of one stream as they are stored, valid or not: for check and repair. */
record StoredStream(Table table, long id) {
    static StoredStream of(RedisTables tables, CollectionHeader header) {
        return new StoredStream(tables.elements(header.home()), header.id());
    }

    Cursor scan(Reader reader, ElementKind kind) {
        return reader.scan(table, Layout.elements(id, kind));
    }

    /** The rows of a kind whose sub-keys start with the prefix. */
    Cursor scan(Reader reader, ElementKind kind, Bytes prefix) {
        Bytes from = Layout.element(id, kind, prefix).bytes();
        return reader.scan(table, KeyRange.inPartition(from, Layout.ELEMENT_PREFIX));
    }

    Optional<Bytes> read(Reader reader, ElementKind kind, Bytes sub) {
        return reader.read(table, row(kind, sub));
    }

    RowKey row(ElementKind kind, Bytes sub) {
        return Layout.element(id, kind, sub);
    }

    KeyRange all(ElementKind kind) {
        return Layout.elements(id, kind);
    }

    static Bytes sub(Cursor cursor) {
        return cursor.key().from(Layout.ELEMENT_PREFIX);
    }
}
