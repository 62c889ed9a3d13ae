package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.list.ListCheck;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.InsertionOrder;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.redis.model.stream.StreamCheck;
import io.polytable.redis.model.string.SegmentCheck;
import io.polytable.redis.model.zset.SortedSetCheck;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import java.util.function.Consumer;

/** Verifies that a collection's element rows match its header. */
final class CollectionCheck {
    private final RedisTables tables;
    private final Reader reader;
    private final CollectionHeader header;
    private final Consumer<String> problems;

    CollectionCheck(RedisTables tables, Reader reader, CollectionHeader header, Consumer<String> problems) {
        this.tables = tables;
        this.reader = reader;
        this.header = header;
        this.problems = problems;
    }

    void run() {
        if (header.home() >= tables.partCount()) {
            problems.accept("its elements are said to be in shard " + header.home() + ", which there is not");
            return;
        }
        for (ElementKind kind : ElementKind.values()) {
            if (!kind.isOf(header.type()) && count(kind, 1) > 0) {
                problems.accept("it is a " + header.type().text() + " but has rows of " + kind);
            }
        }
        ElementKind.counted(header.type()).ifPresent(this::checkSize);
        if (header.type() == Type.ZSET) {
            new SortedSetCheck(tables, reader, header, problems).run();
        } else if (header.type() == Type.LIST) {
            new ListCheck(tables, reader, header, problems).run();
        }
        if (header.type() == Type.STRING) {
            new SegmentCheck(tables, reader, header, problems).run();
        } else if (header.type() == Type.STREAM) {
            new StreamCheck(tables, reader, header, problems).run();
        }
    }

    private void checkSize(ElementKind kind) {
        long rows = kind.hashOrdered() ? countHashOrdered(kind) : count(kind, Long.MAX_VALUE);
        // A sorted set's own check compares its size too.
        if (rows != header.size() && header.type() != Type.ZSET) {
            problems.accept("its header says " + header.size() + " elements, it has " + rows);
        }
        if (header.isOver()) {
            problems.accept("it is there without elements");
        }
        if (header.type() == Type.HASH || header.type() == Type.SET) {
            InsertionOrder.of(header)
                    .filter(order -> !order.isOf(header, reader, tables.elements(header.home()), kind))
                    .ifPresent(order -> problems.accept("the order in its header is not that of its elements"));
        }
    }

    private long countHashOrdered(ElementKind kind) {
        long count = 0;
        try (Cursor rows = reader.scan(tables.elements(header.home()), Layout.elements(header.id(), kind))) {
            while (rows.next()) {
                count++;
                Bytes sub = rows.key().from(Layout.ELEMENT_PREFIX + KeyedHash.BYTES);
                if (BigEndian.intAt(rows.key(), Layout.ELEMENT_PREFIX)
                        != tables.keyedHash().of(sub)) {
                    problems.accept("its element " + sub + " is where no reader looks for it");
                }
            }
        }
        return count;
    }

    private long count(ElementKind kind, long limit) {
        long count = 0;
        Table elements = tables.elements(header.home());
        KeyRange range = Layout.elements(header.id(), kind);
        try (Cursor rows = reader.scan(elements, range, Direction.FORWARD, limit)) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }
}
