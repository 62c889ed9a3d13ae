package io.polytable.redis.model.effect;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.write.EncodedRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a commit writes: the headers of keys, and the elements of collections by their id. */
final class CommitRows {
    private final Parts parts;
    private final Map<KeyName, Optional<Header>> headers = new LinkedHashMap<>();
    private final Map<Long, ElementRows> elements = new LinkedHashMap<>();

    /** A key in a physical database. */
    record KeyName(int physical, Bytes key) {}

    /** The tables of keys and elements, by their ids. */
    static final class Parts {
        private final RedisTables tables;
        private final Set<Integer> keys = new HashSet<>();
        private final Map<Integer, Table> elements = new HashMap<>();

        Parts(RedisTables tables) {
            this.tables = tables;
            for (int part = 0; part < tables.partCount(); part++) {
                keys.add(tables.keys(part).id());
                elements.put(tables.elements(part).id(), tables.elements(part));
            }
        }
    }

    /** Reads the rows that the unit will commit. */
    CommitRows(Parts parts, UnitOfWork unit) {
        this.parts = parts;
        EncodedRow row = new EncodedRow();
        for (int i = 0; i < unit.writes().changes(); i++) {
            unit.writes().change(row, i);
            Table table = parts.elements.get(row.table());
            if (table != null) {
                addElement(row, table);
            } else if (parts.keys.contains(row.table())) {
                addHeader(row);
            }
        }
    }

    private void addHeader(EncodedRow row) {
        // A range of keys is deleted only with its flushed database, which nobody sees any more.
        if (row.op() != EncodedRow.DELETE_RANGE) {
            KeyName name = new KeyName(row.key().at(0) & 0xff, Layout.redisKey(row.key()));
            headers.put(name, row.op() == EncodedRow.PUT ? Optional.of(Header.decode(row.value())) : Optional.empty());
        }
    }

    private void addElement(EncodedRow row, Table table) {
        Bytes key = row.key();
        Optional<ElementKind> kind = kind(key.at(Long.BYTES));
        if (kind.isEmpty()) {
            return;
        }
        ElementRows rows =
                elements.computeIfAbsent(BigEndian.longAt(key, 0), id -> new ElementRows(parts.tables.store(), table));
        if (row.op() == EncodedRow.DELETE_RANGE) {
            rows.deleteRange(kind.get(), new KeyRange(key, row.value(), row.partitionLength()));
        } else {
            rows.put(kind.get(), key, row.op() == EncodedRow.PUT ? Optional.of(row.value()) : Optional.empty());
        }
    }

    private static Optional<ElementKind> kind(int tag) {
        for (ElementKind kind : ElementKind.values()) {
            if (kind.tag() == tag) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    Map<KeyName, Optional<Header>> headers() {
        return headers;
    }

    /** Of the collections with changed elements. */
    Set<Long> ids() {
        return elements.keySet();
    }

    /** The elements of a collection that change, maybe none. */
    ElementRows elements(CollectionHeader collection) {
        ElementRows rows = elements.get(collection.id());
        return rows != null ? rows : new ElementRows(parts.tables.store(), parts.tables.elements(collection.home()));
    }
}
