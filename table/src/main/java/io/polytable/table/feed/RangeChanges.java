package io.polytable.table.feed;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.Table;
import io.polytable.table.write.EncodedRow;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

/**
 * Versions of key ranges of a table, for caches of results computed from their rows: two snapshots with the same {@link
 * Snapshot#version} of a range show the same rows there. Expired rows count as visible until they are removed, so this
 * does not suffice for a table with deadlines. Close it to unregister it.
 */
public final class RangeChanges implements AutoCloseable {
    /** No version: the range has changed since. */
    public static final long UNKNOWN = -1;

    private final Table table;
    private final Bytes[] bounds;
    private final AtomicLongArray last;
    private final Consumer<RangeChanges> closing;

    /**
     * For stores.
     *
     * @param bounds the boundaries between ranges, in order
     * @param now the number of the latest commit: earlier changes are unknown
     */
    public RangeChanges(Table table, List<Bytes> bounds, long now, Consumer<RangeChanges> closing) {
        this.table = table;
        this.bounds = bounds.stream().map(Bytes::copy).toArray(Bytes[]::new);
        this.closing = closing;
        last = new AtomicLongArray(bounds.size() + 1);
        for (int i = 0; i < last.length(); i++) {
            last.set(i, now);
        }
    }

    public Table table() {
        return table;
    }

    /** The number of ranges: one more than there are bounds. */
    public int size() {
        return last.length();
    }

    /** The key range that spans the ranges from one index to another, inclusive. */
    public KeyRange range(int first, int lastIndex) {
        return KeyRange.between(
                first == 0 ? Bytes.EMPTY : bounds[first - 1],
                lastIndex == bounds.length ? Bytes.EMPTY : bounds[lastIndex]);
    }

    /**
     * For stores: records that the commit of this number changes the row. Must be called before a snapshot can show it.
     */
    public void changed(EncodedRow row, long commit) {
        int from = indexOf(row.array(), row.keyOffset(), row.keyLength());
        int to = from;
        if (row.op() == EncodedRow.DELETE_RANGE) {
            to = row.valueLength() == 0 ? bounds.length : indexOf(row.array(), row.valueOffset(), row.valueLength());
        }
        for (int i = from; i <= to; i++) {
            last.set(i, commit);
        }
    }

    /** The number of bounds that are not above the key. */
    private int indexOf(byte[] array, int offset, int length) {
        int low = 0;
        int high = bounds.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            Bytes bound = bounds[middle];
            int order = Arrays.compareUnsigned(
                    bound.array(), bound.offset(), bound.offset() + bound.length(), array, offset, offset + length);
            if (order <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** For snapshots that show the commits up to this number: the version of a range. */
    public long version(int range, long shown) {
        long changed = last.get(range);
        return changed <= shown ? changed : UNKNOWN;
    }

    @Override
    public void close() {
        closing.accept(this);
    }
}
