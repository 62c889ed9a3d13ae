package io.polytable.table;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;

/**
 * When the ranges between some keys of a table changed last, for whoever keeps what was computed from their rows: two
 * snapshots that answer the same {@link Snapshot#version} of a range show the same rows there. Rows that are over count as
 * shown until they are removed, so a table with deadlines needs more than this. Close it to have the store forget it.
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
     * @param bounds where a range ends and the next begins, in order
     * @param now the number of the latest commit: what happened before is not known
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

    /** One more than there are bounds. */
    public int size() {
        return last.length();
    }

    /** All ranges from one to another, the second included. */
    public KeyRange range(int first, int lastIndex) {
        return KeyRange.between(
                first == 0 ? Bytes.EMPTY : bounds[first - 1],
                lastIndex == bounds.length ? Bytes.EMPTY : bounds[lastIndex]);
    }

    /** For stores: a commit of this number changes the row. They tell of it before a snapshot shows it. */
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

    /** How many bounds are not above the key. */
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

    /** For snapshots, which show the commits up to this number: the version of a range. */
    public long version(int range, long shown) {
        long changed = last.get(range);
        return changed <= shown ? changed : UNKNOWN;
    }

    @Override
    public void close() {
        closing.accept(this);
    }
}
