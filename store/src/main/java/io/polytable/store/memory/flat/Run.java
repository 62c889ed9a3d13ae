package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * Spots of rows in a generation, sorted by key and, for one key, by age; and beside each spot the eight bytes of its key
 * that follow the first {@code skip}, which all keys of the run share, so that most comparisons need no look at the rows.
 *
 * @param prefixes to be compared as unsigned numbers; equal ones say nothing
 * @param single whether each key is there once
 * @param end all spots are below it
 */
@SuppressWarnings("ArrayRecordComponent") // made once, never changed
public record Run(int skip, long[] prefixes, int[] spots, boolean single, int end) {
    public static final Run EMPTY = new Run(0, new long[0], new int[0], true, 0);

    private static final int ROW_BYTES = Long.BYTES + Integer.BYTES;
    private static final int OWN_BYTES = 96;

    public int size() {
        return spots.length;
    }

    public long bytes() {
        return OWN_BYTES + (long) ROW_BYTES * spots.length;
    }

    public boolean isEmpty() {
        return spots.length == 0;
    }

    /** The first so many of the arrays' rows. */
    public static Run cut(int skip, long[] prefixes, int[] spots, int size, boolean single, int end) {
        return size == spots.length
                ? new Run(skip, prefixes, spots, single, end)
                : new Run(skip, Arrays.copyOf(prefixes, size), Arrays.copyOf(spots, size), single, end);
    }

    /** Whether of each key there is just one row, and that was there when rows below {@code bound} were. */
    public boolean isAsOf(int bound) {
        return single && Integer.compareUnsigned(end, bound) <= 0;
    }
}
