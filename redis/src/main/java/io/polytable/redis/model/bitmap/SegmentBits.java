package io.polytable.redis.model.bitmap;

import io.polytable.redis.model.row.Segments;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;

/** Counts and finds bits in a segmented string; segments of zeros are not stored and cost nothing. */
final class SegmentBits {
    private static final long SEGMENT_BITS = 8L * Segments.BYTES;

    private final Segments segments;
    private final BitRange range;

    SegmentBits(Segments segments, BitRange range) {
        this.segments = segments;
        this.range = range;
    }

    private Cursor scan() {
        return segments.scan((int) (range.first() / SEGMENT_BITS), (int) (range.last() / SEGMENT_BITS) + 1);
    }

    /** The part of the range within the segment, relative to its first bit. */
    private BitRange within(int number) {
        long start = number * SEGMENT_BITS;
        return new BitRange(Math.max(0, range.first() - start), Math.min(SEGMENT_BITS - 1, range.last() - start));
    }

    long count() {
        if (range.isEmpty()) {
            return 0;
        }
        long count = 0;
        try (Cursor rows = scan()) {
            while (rows.next()) {
                Bytes stored = rows.valueSlice().toBytes();
                BitRange part = within(Segments.number(rows));
                count += new BitRange(part.first(), Math.min(part.last(), 8L * stored.length() - 1)).count(stored);
            }
        }
        return count;
    }

    /** The position of the first such bit; -1 for none. */
    long find(int bit) {
        if (range.isEmpty()) {
            return -1;
        }
        return bit == 1 ? findOne() : findZero();
    }

    private long findOne() {
        try (Cursor rows = scan()) {
            while (rows.next()) {
                int number = Segments.number(rows);
                long found = within(number).find(whole(rows), 1);
                if (found >= 0) {
                    return number * SEGMENT_BITS + found;
                }
            }
        }
        return -1;
    }

    private long findZero() {
        long at = range.first();
        try (Cursor rows = scan()) {
            // A segment without a row is all zeros.
            while (at <= range.last() && rows.next() && Segments.number(rows) == at / SEGMENT_BITS) {
                int number = Segments.number(rows);
                long found = within(number).find(whole(rows), 0);
                if (found >= 0) {
                    return number * SEGMENT_BITS + found;
                }
                at = (number + 1) * SEGMENT_BITS;
            }
        }
        return at <= range.last() ? at : -1;
    }

    private static Bytes whole(Cursor rows) {
        byte[] segment = new byte[Segments.BYTES];
        rows.valueSlice().toBytes().copyTo(segment, 0);
        return Bytes.of(segment);
    }
}
