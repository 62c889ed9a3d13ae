package io.polytable.redis.model.order;

import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.Objects;

/**
 * The rows of one collection's fences (docs/formats/redis-zset.md, redis-list.md):
 *
 * <pre>
 * id:8  kind:1  level:1  place  ->  elements:varint  [children:varint, from level 2 on]
 * </pre>
 */
public record FenceRows(Table table, long id, Ordering ordering) {
    private static final int PARTITION_BYTES = Layout.ELEMENT_PREFIX;
    private static final int PREFIX_BYTES = PARTITION_BYTES + 1;
    private static final int VARINT_BYTES_MAX = 10;

    private Bytes prefixed(int level, Bytes place) {
        byte[] key = new byte[PREFIX_BYTES + place.length()];
        BigEndian.putLong(key, 0, id);
        key[Long.BYTES] = (byte) ordering.fence().tag();
        key[PARTITION_BYTES] = (byte) level;
        place.copyTo(key, PREFIX_BYTES);
        return Bytes.of(key);
    }

    private RowKey key(int level, Bytes place) {
        return new RowKey(prefixed(level, place), PARTITION_BYTES);
    }

    void put(WriteSet work, Fence fence) {
        put(work, fence.level, fence.place, fence.elements(), fence.children());
    }

    public void put(WriteSet work, int level, Bytes place, long elements, int children) {
        work.put(table, key(level, place), counts(level, elements, children));
    }

    void delete(WriteSet work, Fence fence) {
        work.delete(table, key(fence.level, fence.place));
    }

    /** All fences of all levels. */
    public KeyRange all() {
        return KeyRange.partition(prefixed(0, SortKeys.START).slice(0, PARTITION_BYTES));
    }

    /**
     * The fences of a level from one place up to another, {@link SortKeys#END} for all that follow. Reads one more
     * than the limit allows, by which callers detect damaged rows.
     */
    FencePage read(Reader reader, int level, Bytes from, Bytes to, FenceLimits limits) {
        FencePage page = new FencePage(level, limits.most());
        try (Cursor cursor = reader.scan(table, range(level, from, to), Direction.FORWARD, limits.most() + 1L)) {
            while (cursor.next()) {
                page.add(decode(cursor.key(), cursor.value()));
            }
        }
        return page;
    }

    Cursor scan(Reader reader, int level) {
        return reader.scan(table, range(level, SortKeys.START, SortKeys.END));
    }

    private KeyRange range(int level, Bytes from, Bytes to) {
        Bytes first = prefixed(level, from);
        Bytes end = to.isEmpty() ? first.slice(0, PREFIX_BYTES).successorOfPrefix() : prefixed(level, to);
        return new KeyRange(first, end, PARTITION_BYTES);
    }

    /** @throws io.polytable.table.StoreException when the row's bytes are not a fence's */
    Fence decode(Bytes rowKey, Bytes value) {
        try {
            int level = rowKey.at(PARTITION_BYTES);
            long elements = varint(value, 0);
            int behind = varintLength(elements);
            long children = level == 1 ? 0 : varint(value, behind);
            return Fence.read(rowKey.from(PREFIX_BYTES).copy(), level, elements, Math.toIntExact(children));
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw OrderRows.damaged(id, "Row of a fence is damaged");
        }
    }

    private static Bytes counts(int level, long elements, int children) {
        byte[] value = new byte[varintLength(elements) + (level == 1 ? 0 : varintLength(children))];
        int at = putVarint(value, 0, elements);
        if (level > 1) {
            putVarint(value, at, children);
        }
        return Bytes.of(value);
    }

    private static int varintLength(long value) {
        return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
    }

    private static int putVarint(byte[] target, int offset, long value) {
        int at = offset;
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        return at;
    }

    private static long varint(Bytes bytes, int from) {
        long value = 0;
        for (int i = 0; i < VARINT_BYTES_MAX; i++) {
            // The slice's array continues after it: without this check a short row would read its neighbour's bytes.
            Objects.checkIndex(from + i, bytes.length());
            byte b = bytes.at(from + i);
            value |= (long) (b & 0x7f) << (7 * i);
            if (b >= 0) {
                return value;
            }
        }
        throw new ArithmeticException("varint is too long");
    }
}
