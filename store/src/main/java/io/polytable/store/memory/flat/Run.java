package io.polytable.store.memory.flat;

import java.util.Arrays;

/**
 * A sorted run: spots of rows in a generation, by key and, within a key, by age. Beside each spot it holds the eight
 * key bytes that follow the first {@code skip} bytes, which all keys of the run share, so most comparisons do not touch
 * the rows.
 *
 * @param prefixes compared as unsigned numbers; equal prefixes decide nothing
 * @param single whether each key occurs once
 * @param end exclusive upper bound of the spots
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

    /** A run of the arrays' first {@code size} rows. */
    public static Run cut(int skip, long[] prefixes, int[] spots, int size, boolean single, int end) {
        return size == spots.length
                ? new Run(skip, prefixes, spots, single, end)
                : new Run(skip, Arrays.copyOf(prefixes, size), Arrays.copyOf(spots, size), single, end);
    }

    /** Whether each key occurs once and all rows lie below {@code bound}: the run can then be shown as it is. */
    public boolean isAsOf(int bound) {
        return single && Integer.compareUnsigned(end, bound) <= 0;
    }
}
