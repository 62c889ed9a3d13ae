package io.polytable.store.log.file;

import java.util.Arrays;

/** Where some batches of a segment start: one entry in about 64 KiB. One thread adds, any thread asks. */
final class SegmentIndex {
    private static final int STEP_BYTES = 64 << 10;

    private long[] positions = new long[16];
    private long[] offsets = new long[16];
    // Written last and read first: whoever sees a size sees the entries below it, in these or in longer arrays.
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

    /** Where a batch starts that is not behind the position; the start of the segment's batches if there is none. */
    long floor(long position) {
        int count = size;
        int found = Arrays.binarySearch(positions, 0, count, position);
        int entry = found >= 0 ? found : -found - 2;
        return entry < 0 ? Segment.HEADER_BYTES : offsets[entry];
    }
}
