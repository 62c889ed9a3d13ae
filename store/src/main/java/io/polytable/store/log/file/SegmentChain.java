package io.polytable.store.log.file;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The retained segments, ascending without a gap; the last is being written. Never empty. */
final class SegmentChain {
    // Copy on write: it changes once per segment and is read with every batch.
    private volatile Segment[] segments;

    SegmentChain(Segment... segments) {
        this.segments = segments.clone();
    }

    Segment active() {
        Segment[] all = segments;
        return all[all.length - 1];
    }

    Segment oldest() {
        return segments[0];
    }

    int size() {
        return segments.length;
    }

    synchronized void add(Segment segment) {
        Segment[] longer = Arrays.copyOf(segments, segments.length + 1);
        longer[longer.length - 1] = segment;
        segments = longer;
    }

    synchronized void removeOldest() {
        segments = Arrays.copyOfRange(segments, 1, segments.length);
    }

    /**
     * Corrects segments that seem to have been sealed after now, which says that the clock was set back: retention by
     * time counts from now on for them. All of them at once, since each is retained from its own time on.
     */
    void sealedBy(long nowMillis) {
        for (Segment segment : segments) {
            if (segment.sealedMillis() > nowMillis) {
                segment.sealed(nowMillis);
            }
        }
    }

    /** The segments from this number on. */
    Segment[] from(long id) {
        Segment[] all = segments;
        int skipped = (int) Math.max(0, Math.min(all.length, id - all[0].id()));
        return Arrays.copyOfRange(all, skipped, all.length);
    }

    @Nullable
    Segment withId(long id) {
        Segment[] all = segments;
        long at = id - all[0].id();
        return at >= 0 && at < all.length ? all[(int) at] : null;
    }

    /** The last segment that starts at or before the position; null if the position is older than all. */
    @Nullable
    Segment floor(long position) {
        Segment[] all = segments;
        int low = 0;
        int high = all.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all[middle].first() <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? null : all[low - 1];
    }

    /** The approximate number of bytes from the position on. */
    long bytesSince(long position) {
        long bytes = 0;
        for (Segment segment : segments) {
            if (segment.last() >= position) {
                long start = segment.first() >= position ? Segment.HEADER_BYTES : segment.floor(position);
                bytes += segment.written() - start;
            }
        }
        return bytes;
    }
}
