package io.polytable.redis.model.introspection;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.List;
import java.util.OptionalLong;

/**
 * The size in bytes of a key's rows, for MEMORY USAGE: exact for the header, estimated from samples for the elements.
 */
public final class RowSizes {
    private static final long ROW_COST_BYTES = DataUsage.ROW_COST_BYTES;

    /** Empty when the key is absent; zero samples mean all elements. */
    public OptionalLong of(Space space, Bytes key, long samples) {
        return space.peek(key)
                .map(header -> OptionalLong.of(of(space, key, header, samples)))
                .orElse(OptionalLong.empty());
    }

    private static long of(Space space, Bytes key, Header header, long samples) {
        long bytes = ROW_COST_BYTES
                + key.length()
                + header.rowHead().length()
                + header.rowTail().length();
        if (header instanceof CollectionHeader collection) {
            // The size of a string counts bytes, not rows: all its segments are read.
            boolean countsRows = collection.type() != Type.STRING;
            for (ElementKind kind : kinds(collection.type())) {
                Elements elements = space.elements(collection, kind);
                bytes += elements(elements, countsRows ? collection.size() : 0, countsRows ? samples : 0);
            }
        }
        return bytes;
    }

    private static long elements(Elements elements, long size, long samples) {
        long seen = 0;
        long bytes = 0;
        try (Cursor rows = elements.scan(Direction.FORWARD, samples == 0 ? Long.MAX_VALUE : samples)) {
            while (rows.next()) {
                seen++;
                // As slices, since nothing is kept: a key or value would be charged to the read budget.
                bytes += ROW_COST_BYTES
                        + rows.keySlice().length()
                        + rows.valueSlice().length();
            }
        }
        return seen == 0 ? 0 : Math.round((double) bytes / seen * Math.max(seen, size));
    }

    private static List<ElementKind> kinds(Type type) {
        return switch (type) {
            case STRING -> List.of(ElementKind.STRING_SEGMENT);
            case STREAM -> List.of(ElementKind.STREAM_ENTRY);
            case LIST -> List.of(ElementKind.LIST_ELEMENT);
            case SET -> List.of(ElementKind.SET_MEMBER);
            case ZSET -> List.of(ElementKind.ZSET_MEMBER, ElementKind.ZSET_ORDER);
            case HASH -> List.of(ElementKind.HASH_FIELD);
        };
    }
}
