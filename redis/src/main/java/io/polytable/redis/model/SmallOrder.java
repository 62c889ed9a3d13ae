package io.polytable.redis.model;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order rows of a small sorted set, or of a stretch of a larger one, all of them, in memory. Scores that change leave
 * a deleted row behind each time; in the store a walk over a hundred elements may have to step over thousands of those.
 * It never changes: a change makes another, so that walks go on over what they began with.
 */
final class SmallOrder {
    private static final int ROW_OVERHEAD_BYTES = 64;

    static final SmallOrder EMPTY = new SmallOrder(new Bytes[0], new Bytes[0]);

    private final Bytes[] keys;
    private final Bytes[] values;
    private final long memoryBytes;

    private SmallOrder(Bytes[] keys, Bytes[] values) {
        this(keys, values, bytesOf(keys));
    }

    private SmallOrder(Bytes[] keys, Bytes[] values, long memoryBytes) {
        this.keys = keys;
        this.values = values;
        this.memoryBytes = memoryBytes;
    }

    private static long bytesOf(Bytes[] keys) {
        long bytes = 0;
        for (Bytes key : keys) {
            bytes += bytesOf(key);
        }
        return bytes;
    }

    private static long bytesOf(Bytes key) {
        return (long) key.length() + ROW_OVERHEAD_BYTES;
    }

    /** All that the cursor shows, which is closed afterwards. */
    static SmallOrder of(Cursor rows) {
        List<Bytes> keys = new ArrayList<>();
        List<Bytes> values = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                keys.add(rows.key().copy());
                values.add(rows.value().copy());
            }
        }
        return new SmallOrder(keys.toArray(Bytes[]::new), values.toArray(Bytes[]::new));
    }

    SmallOrder with(Bytes key, Bytes value) {
        int at = -1 - Arrays.binarySearch(keys, key);
        return new SmallOrder(inserted(keys, at, key.copy()), inserted(values, at, value), memoryBytes + bytesOf(key));
    }

    private static Bytes[] inserted(Bytes[] array, int at, Bytes added) {
        Bytes[] next = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, next, at + 1, array.length - at);
        next[at] = added;
        return next;
    }

    SmallOrder without(Bytes key) {
        int at = Arrays.binarySearch(keys, key);
        return new SmallOrder(removed(keys, at), removed(values, at), memoryBytes - bytesOf(key));
    }

    private static Bytes[] removed(Bytes[] array, int at) {
        Bytes[] next = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, next, at, next.length - at);
        return next;
    }

    int size() {
        return keys.length;
    }

    Bytes key(int rank) {
        return keys[rank];
    }

    /** How many stand before the key. */
    int rank(Bytes key) {
        int at = Arrays.binarySearch(keys, key);
        return at < 0 ? -1 - at : at;
    }

    SmallOrder between(int from, int to) {
        return new SmallOrder(Arrays.copyOfRange(keys, from, to), Arrays.copyOfRange(values, from, to));
    }

    SmallOrder within(KeyRange range) {
        int low = rank(range.from());
        return between(low, Math.max(low, end(range)));
    }

    /** With what follows it in the order. */
    SmallOrder followedBy(SmallOrder next) {
        return new SmallOrder(joined(keys, next.keys), joined(values, next.values), memoryBytes + next.memoryBytes);
    }

    private static Bytes[] joined(Bytes[] first, Bytes[] second) {
        Bytes[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    long memoryBytes() {
        return memoryBytes;
    }

    Cursor scan(KeyRange range, Direction direction, long limit) {
        int low = rank(range.from());
        int high = end(range);
        int count = (int) Math.max(0, Math.min(limit, high - low));
        return direction == Direction.FORWARD ? new Walk(low - 1, 1, count) : new Walk(high, -1, count);
    }

    private int end(KeyRange range) {
        return range.to().isEmpty() ? keys.length : rank(range.to());
    }

    private final class Walk implements Cursor {
        private final int step;
        private int at;
        private int left;

        Walk(int before, int step, int count) {
            this.at = before;
            this.step = step;
            this.left = count;
        }

        @Override
        public boolean next() {
            if (left == 0) {
                return false;
            }
            left--;
            at += step;
            return true;
        }

        @Override
        public Bytes key() {
            return keys[at];
        }

        @Override
        public Bytes value() {
            return values[at];
        }

        @Override
        public void close() {}
    }
}
