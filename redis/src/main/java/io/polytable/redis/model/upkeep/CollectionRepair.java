package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.list.ListRepair;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.InsertionOrder;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.stream.StreamRepair;
import io.polytable.redis.model.string.SegmentRepair;
import io.polytable.redis.model.zset.SortedSetRepair;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Rebuilds one collection's header and indexes from its elements. */
final class CollectionRepair {
    private final RedisTables tables;
    private final Reader reader;
    private final WriteSet writes;
    private final CollectionHeader header;

    CollectionRepair(RedisTables tables, Reader reader, WriteSet writes, CollectionHeader header) {
        this.tables = tables;
        this.reader = reader;
        this.writes = writes;
        this.header = header;
    }

    /** Whether the collection's rows can be found. */
    boolean isRepairable() {
        return header.home() < tables.partCount();
    }

    /**
     * Returns the header that matches the rows, for the caller to put; only if it is repairable. The progress counts each element of a list or
     * sorted set twice.
     */
    CollectionHeader repair(LongConsumer progress) {
        Table elements = tables.elements(header.home());
        for (ElementKind kind : ElementKind.values()) {
            if (!kind.isOf(header.type())) {
                writes.deleteRange(elements, Layout.elements(header.id(), kind));
            }
        }
        Optional<ElementKind> kind = ElementKind.counted(header.type());
        long size = kind.map(this::settle).orElse(header.size());
        var unused = writes.commit();
        return switch (header.type()) {
            case ZSET -> new SortedSetRepair(tables, header, progress).run();
            case LIST -> new ListRepair(tables, header, progress).run();
            case STREAM -> new StreamRepair(tables, header).run();
            case STRING -> new SegmentRepair(tables, header).run();
            case SET, HASH -> reordered(header.withSize(size), elements);
        };
    }

    /** Drops what is not there from the order of the elements, and appends what it lacks. */
    private CollectionHeader reordered(CollectionHeader sized, Table elements) {
        ElementKind kind = ElementKind.counted(sized.type()).orElseThrow();
        return InsertionOrder.of(sized)
                .map(order -> order.over(InsertionOrder.hashesOf(sized, tables.store(), elements, kind))
                        .in(sized))
                .orElse(sized);
    }

    /** Moves elements to where readers look for them; answers their number. */
    private long settle(ElementKind kind) {
        Table elements = tables.elements(header.home());
        long count = 0;
        try (Cursor rows = reader.scan(elements, Layout.elements(header.id(), kind))) {
            while (rows.next()) {
                count++;
                if (kind.hashOrdered()) {
                    count -= moved(elements, kind, rows) ? 0 : 1;
                }
            }
        }
        return count;
    }

    /** False when a copy of the element is already where it belongs. */
    private boolean moved(Table elements, ElementKind kind, Cursor row) {
        Bytes sub = row.key().from(Layout.ELEMENT_PREFIX + KeyedHash.BYTES);
        RowKey right =
                Layout.hashOrderedElement(header.id(), kind, tables.keyedHash().of(sub), sub);
        if (right.bytes().equals(row.key())) {
            return true;
        }
        writes.delete(elements, new RowKey(row.key(), Layout.ELEMENT_PREFIX));
        if (reader.read(elements, right).isPresent()) {
            return false;
        }
        writes.put(elements, right, row.value());
        return true;
    }
}
