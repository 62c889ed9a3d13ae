package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The order rows of a small sorted set, or of one stretch of a larger one, in memory. Each change of a score leaves a
 * tombstone; in the store, a walk over a hundred elements may need to step over thousands of them.
 *
 * <p>A change answers the instance to use from then on. While no cursor was opened on it, that is this instance,
 * changed in place; afterwards it is a copy, so that an open cursor keeps seeing the old rows.
 */
final class SmallOrder {
    private static final int OVERHEAD_BYTES = 72;

    /** A change moves or copies much of it. With larger members, walking over the rows is cheaper. */
    private static final int BYTES_MAX = 64 << 10;

    /** The spare space of a copy, so that the next changes need no other copy. */
    private static final int SPARE_ROWS = 8;

    private static final int SPARE_BYTES = 256;

    static final SmallOrder EMPTY = new SmallOrder(new byte[0], new int[0], 0).shared();

    /** Row after row: the key, the value (at most one byte), and one byte with the value's length. */
    private final byte[] rows;

    private final int[] ends;
    private int size;

    /** Whether a cursor may be open on it. */
    private boolean shared;

    private SmallOrder(byte[] rows, int[] ends, int size) {
        this.rows = rows;
        this.ends = ends;
        this.size = size;
    }

    private SmallOrder shared() {
        shared = true;
        return this;
    }

    /** Reads all rows of the cursor and closes it; null when they are too large. */
    static @Nullable SmallOrder of(Cursor cursor, Ordering ordering) {
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        int[] ends = new int[FenceLimits.STANDARD.most() + 1];
        int size = 0;
        try (cursor) {
            while (cursor.next()) {
                if (rows.size() + cursor.key().length() > BYTES_MAX) {
                    return null;
                }
                append(rows, cursor.key());
                Bytes value = ordering.cached(cursor.value());
                append(rows, value);
                rows.write(value.length());
                if (size == ends.length) {
                    ends = Arrays.copyOf(ends, 2 * size);
                }
                ends[size++] = rows.size();
            }
        }
        return new SmallOrder(rows.toByteArray(), ends, size);
    }

    private static void append(ByteArrayOutputStream rows, Bytes bytes) {
        rows.write(bytes.array(), bytes.offset(), bytes.length());
    }

    /** With one more row; null when it becomes too large. */
    @Nullable
    SmallOrder with(Bytes key, Bytes value) {
        if (bytes() + key.length() > BYTES_MAX) {
            return null;
        }
        int at = rank(key);
        int start = start(at);
        int added = key.length() + value.length() + 1;
        SmallOrder next = changeable(added);
        next.makeRoom(at, start, added);
        key.copyTo(next.rows, start);
        value.copyTo(next.rows, start + key.length());
        next.rows[start + added - 1] = (byte) value.length();
        return next;
    }

    /** Without a row that it contains. */
    SmallOrder without(Bytes key) {
        int at = rank(key);
        int start = start(at);
        SmallOrder next = changeable(0);
        next.closeGap(at, start, ends[at] - start);
        return next;
    }

    /** This instance, if it may be changed and has space; otherwise a copy. */
    private SmallOrder changeable(int added) {
        int needed = bytes() + added;
        if (!shared && rows.length >= needed && ends.length > size) {
            return this;
        }
        return new SmallOrder(Arrays.copyOf(rows, needed + SPARE_BYTES), Arrays.copyOf(ends, size + SPARE_ROWS), size);
    }

    private void makeRoom(int row, int start, int length) {
        System.arraycopy(rows, start, rows, start + length, bytes() - start);
        for (int i = size; i > row; i--) {
            ends[i] = ends[i - 1] + length;
        }
        ends[row] = start + length;
        size++;
    }

    private void closeGap(int row, int start, int length) {
        System.arraycopy(rows, start + length, rows, start, bytes() - start - length);
        size--;
        for (int i = row; i < size; i++) {
            ends[i] = ends[i + 1] - length;
        }
    }

    private int bytes() {
        return start(size);
    }

    private int start(int row) {
        return row == 0 ? 0 : ends[row - 1];
    }

    private int keyEnd(int row) {
        int last = ends[row] - 1;
        return last - rows[last];
    }

    int size() {
        return size;
    }

    Bytes key(int row) {
        return Bytes.of(rows, start(row), keyEnd(row) - start(row));
    }

    private Bytes value(int row) {
        return Bytes.of(rows, keyEnd(row), rows[ends[row] - 1]);
    }

    /** The number of rows before the key. */
    int rank(Bytes key) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int compare(int row, Bytes key) {
        return Arrays.compareUnsigned(
                rows, start(row), keyEnd(row), key.array(), key.offset(), key.offset() + key.length());
    }

    SmallOrder between(int from, int to) {
        if (from >= to) {
            return EMPTY;
        }
        int start = start(from);
        int[] someEnds = Arrays.copyOfRange(ends, from, to);
        for (int i = 0; i < someEnds.length; i++) {
            someEnds[i] -= start;
        }
        return new SmallOrder(Arrays.copyOfRange(rows, start, ends[to - 1]), someEnds, to - from);
    }

    /** The first rows of the range in the direction, up to the limit: a pop needs no copy of all rows. */
    SmallOrder within(KeyRange range, Direction direction, long limit) {
        int from = rank(range.from());
        int to = end(range);
        if (to - from <= limit) {
            return between(from, to);
        }
        return direction == Direction.FORWARD ? between(from, from + (int) limit) : between(to - (int) limit, to);
    }

    /** Concatenates this with the rows that follow it in the order. */
    SmallOrder followedBy(SmallOrder next) {
        if (size == 0 || next.size == 0) {
            return size == 0 ? next : this;
        }
        byte[] all = Arrays.copyOf(rows, bytes() + next.bytes());
        System.arraycopy(next.rows, 0, all, bytes(), next.bytes());
        int[] allEnds = Arrays.copyOf(ends, size + next.size);
        for (int i = 0; i < next.size; i++) {
            allEnds[size + i] = next.ends[i] + bytes();
        }
        return new SmallOrder(all, allEnds, size + next.size);
    }

    long memoryBytes() {
        return OVERHEAD_BYTES + rows.length + 4L * ends.length;
    }

    Cursor scan(KeyRange range, Direction direction, long limit) {
        int low = rank(range.from());
        int high = Math.max(low, end(range));
        shared = true;
        return direction == Direction.FORWARD ? new Walk(low - 1, 1, high, limit) : new Walk(high, -1, low - 1, limit);
    }

    private int end(KeyRange range) {
        return range.to().isEmpty() ? size : rank(range.to());
    }

    private final class Walk implements Cursor {
        private final int step;
        private final int end;
        private int at;
        private long left;

        Walk(int before, int step, int end, long limit) {
            this.at = before;
            this.step = step;
            this.end = end;
            this.left = limit;
        }

        @Override
        public boolean next() {
            if (left == 0 || at + step == end) {
                return false;
            }
            left--;
            at += step;
            return true;
        }

        @Override
        public boolean seek(Bytes target) {
            while (left > 0
                    && at + step != end
                    && step * SmallOrder.this.key(at + step).compareTo(target) < 0) {
                at += step;
            }
            return next();
        }

        @Override
        public Bytes key() {
            return SmallOrder.this.key(at);
        }

        @Override
        public Bytes value() {
            return SmallOrder.this.value(at);
        }

        @Override
        public void close() {}
    }
}
