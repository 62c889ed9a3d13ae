package io.polytable.redis.model;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order rows of a small sorted set, all of them, in memory. Scores that change leave a deleted row behind each time;
 * in the store a walk over a hundred elements may have to step over thousands of those. It never changes: a change makes
 * another, so that walks go on over what they began with.
 */
final class SmallOrder {
    private static final int ROW_OVERHEAD_BYTES = 64;

    static final SmallOrder EMPTY = new SmallOrder(new Bytes[0], new Bytes[0]);

    private final Bytes[] keys;
    private final Bytes[] values;

    private SmallOrder(Bytes[] keys, Bytes[] values) {
        this.keys = keys;
        this.values = values;
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
        return new SmallOrder(inserted(keys, at, key.copy()), inserted(values, at, value));
    }

    private static Bytes[] inserted(Bytes[] array, int at, Bytes added) {
        Bytes[] next = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, next, at + 1, array.length - at);
        next[at] = added;
        return next;
    }

    SmallOrder without(Bytes key) {
        int at = Arrays.binarySearch(keys, key);
        return new SmallOrder(removed(keys, at), removed(values, at));
    }

    private static Bytes[] removed(Bytes[] array, int at) {
        Bytes[] next = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, next, at, next.length - at);
        return next;
    }

    long memoryBytes() {
        long bytes = 0;
        for (Bytes key : keys) {
            bytes += key.length() + ROW_OVERHEAD_BYTES;
        }
        return bytes;
    }

    Cursor scan(KeyRange range, Direction direction, long limit) {
        int low = bound(range.from());
        int high = range.to().isEmpty() ? keys.length : bound(range.to());
        int count = (int) Math.max(0, Math.min(limit, high - low));
        return direction == Direction.FORWARD ? new Walk(low - 1, 1, count) : new Walk(high, -1, count);
    }

    private int bound(Bytes key) {
        int at = Arrays.binarySearch(keys, key);
        return at < 0 ? -1 - at : at;
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
