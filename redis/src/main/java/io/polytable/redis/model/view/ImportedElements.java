package io.polytable.redis.model.view;

import io.polytable.redis.model.Type;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.list.ListEnd;
import io.polytable.redis.model.list.Lists;
import io.polytable.redis.model.order.Element;
import io.polytable.redis.model.packing.PackingLimits;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.zset.AddRules;
import io.polytable.redis.model.zset.SortedSets;
import io.polytable.table.Bytes;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Imports rows of {@code redis_data} as strings, hashes, lists, sets and sorted sets, with their deadlines. */
final class ImportedElements {
    private static final int SUB = 1;
    private static final int TYPE = 2;
    private static final int SCORE = 3;
    private static final int VALUE = 4;
    private static final int EXPIRE_AT = 5;
    private static final long MICROS_PER_MILLI = 1000;

    private final Hashes hashes;
    private final Lists lists = new Lists();
    private final Sets sets;
    private final SortedSets sortedSets = new SortedSets();

    ImportedElements(Supplier<PackingLimits> packing) {
        hashes = new Hashes(() -> packing.get().hash());
        sets = new Sets(packing);
    }

    void write(Space space, Bytes key, List<List<Value>> rows) {
        List<Value> first = rows.get(0);
        OptionalLong expireAt = expireAt(first);
        Type type = type(first);
        for (List<Value> row : rows) {
            if (type(row) != type || !expireAt(row).equals(expireAt)) {
                throw KeyImport.bad("Rows of one key have different types or deadlines");
            }
        }
        if (expireAt.isPresent() && expireAt.getAsLong() <= space.nowMillis()) {
            return;
        }
        long deadline = expireAt.orElse(Header.NEVER);
        put(space, key, type, rows);
        space.header(key)
                .filter(header -> header.expireAt() != deadline)
                .ifPresent(header -> space.put(key, header.withExpireAt(deadline)));
    }

    /** Empty for no deadline, and not {@link Header#NEVER}, which is also a moment just before 1970. */
    private static OptionalLong expireAt(List<Value> row) {
        return row.get(EXPIRE_AT) instanceof Value.OfTimestamp at
                ? OptionalLong.of(Math.floorDiv(at.micros(), MICROS_PER_MILLI))
                : OptionalLong.empty();
    }

    private static Type type(List<Value> row) {
        String text = KeyImport.text(row.get(TYPE));
        for (Type type : Type.values()) {
            if (type.text().equals(text) && type != Type.STREAM) {
                return type;
            }
        }
        throw KeyImport.bad("There is no such type");
    }

    private void put(Space space, Bytes key, Type type, List<List<Value>> rows) {
        switch (type) {
            // As if each row came alone: the last one replaces those before it.
            case STRING ->
                space.putString(key, KeyImport.bytes(rows.get(rows.size() - 1).get(VALUE)), Header.NEVER);
            case LIST -> putList(space, key, rows);
            case SET -> sets.add(space, key, column(rows, SUB));
            case ZSET -> sortedSets.add(space, key, AddRules.ANY, elements(rows));
            case HASH -> hashes.put(space, key, pairs(rows));
            case STREAM -> throw KeyImport.bad("Streams have tables of their own");
        }
    }

    /** Pushes by index, so that existing elements are not pushed twice. */
    private void putList(Space space, Bytes key, List<List<Value>> rows) {
        long size = lists.size(space, key);
        List<Bytes> pushed = new ArrayList<>();
        for (List<Value> row : rows) {
            long index = index(row);
            Bytes value = KeyImport.bytes(row.get(VALUE));
            if (index > size + pushed.size()) {
                throw KeyImport.bad("A list's elements do not come in their order");
            }
            if (index == size + pushed.size()) {
                pushed.add(value);
            } else if (index < size
                    && lists.get(space, key, index).filter(value::equals).isEmpty()) {
                lists.set(space, key, index, value);
            }
        }
        if (!pushed.isEmpty()) {
            lists.push(space, key, ListEnd.RIGHT, pushed);
        }
    }

    private static long index(List<Value> row) {
        try {
            return Math.max(0, Long.parseLong(KeyImport.bytes(row.get(SUB)).utf8()));
        } catch (NumberFormatException other) {
            throw KeyImport.bad("A list's element has no index");
        }
    }

    private static List<Bytes> column(List<List<Value>> rows, int column) {
        return rows.stream().map(row -> KeyImport.bytes(row.get(column))).toList();
    }

    private static List<Bytes> pairs(List<List<Value>> rows) {
        List<Bytes> pairs = new ArrayList<>(2 * rows.size());
        for (List<Value> row : rows) {
            pairs.add(KeyImport.bytes(row.get(SUB)));
            pairs.add(KeyImport.bytes(row.get(VALUE)));
        }
        return pairs;
    }

    private static List<Element> elements(List<List<Value>> rows) {
        List<Element> elements = new ArrayList<>(rows.size());
        for (List<Value> row : rows) {
            if (!(row.get(SCORE) instanceof Value.OfDouble score) || Double.isNaN(score.value())) {
                throw KeyImport.bad("A member of a sorted set has no score");
            }
            elements.add(new Element(score.value(), KeyImport.bytes(row.get(SUB))));
        }
        return elements;
    }
}
