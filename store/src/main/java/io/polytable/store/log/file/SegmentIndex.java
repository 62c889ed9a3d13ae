package io.polytable.store.log.file;

import java.util.Arrays;

/** A sparse index of a segment: the offset of about one batch per 64 KiB. One thread adds, any thread reads. */
final class SegmentIndex {
    private static final int STEP_BYTES = 64 << 10;

    private long[] positions = new long[16];
    private long[] offsets = new long[16];
    // Written last and read first: a reader that sees a size sees the entries below it, in these arrays or in longer
    // ones.
    private volatile int size;

    void add(long position, long offset) {
        int count = size;
        if (count > 0 && offset - offsets[count - 1] < STEP_BYTES) {
            return;
        }
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        positions[count] = position;
        offsets[count] = offset;
        size = count + 1;
    }

    /** The offset of an indexed batch at or before the position; the first batch's offset if there is none. */
    long floor(long position) {
        int count = size;
        int found = Arrays.binarySearch(positions, 0, count, position);
        int entry = found >= 0 ? found : -found - 2;
        return entry < 0 ? Segment.HEADER_BYTES : offsets[entry];
    }
}
