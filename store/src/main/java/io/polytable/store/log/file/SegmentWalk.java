package io.polytable.store.log.file;

import io.polytable.store.log.RecordBatchFormat;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32C;

/** Scans segments defensively when a log is opened. */
final class SegmentWalk {
    private static final int ALIGNMENT = 4;

    private final ReadWindow window = new ReadWindow();
    private long syncedSeen;

    /**
     * What follows the end of the log.
     *
     * @param batches the number of intact batches
     * @param end the end of the last trace of a write; the start if there is none
     */
    record Remains(int batches, long end) {}

    /** The highest position that a valid batch records as synced. */
    long syncedSeen() {
        return syncedSeen;
    }

    /** Adds the segment's batches, up to the first place where the expected one is missing. */
    void takeIn(Segment segment) throws IOException {
        window.clear();
        while (isBatch(segment, segment.written(), segment.last() + 1)
                && first(segment.written()) == segment.last() + 1) {
            long at = segment.written();
            int index = window.index(at);
            byte[] array = window.array();
            long first = RecordBatchFormat.first(array, index);
            long last = first + RecordBatchFormat.count(array, index) - 1;
            segment.add(
                    first,
                    last,
                    RecordBatchFormat.ticket(array, index),
                    segment.batchMillis(array, index),
                    RecordBatchFormat.length(array, index));
        }
    }

    boolean startsWith(Segment segment, long position) throws IOException {
        window.clear();
        return isBatch(segment, Segment.HEADER_BYTES, position) && first(Segment.HEADER_BYTES) == position;
    }

    /** Whether the bytes there look like the batch that starts at the position, intact or not. */
    boolean resembles(Segment segment, long at, long position) throws IOException {
        window.clear();
        if (!cover(segment, at, segment.batchHeaderBytes())) {
            return false;
        }
        long first = first(at);
        return first == position || (first > position && hasMagic(segment, at));
    }

    /** Whether the segment was used from the position on, but its first batch is damaged. */
    boolean beginsDamaged(Segment segment, long position) throws IOException {
        window.clear();
        if (!cover(segment, Segment.HEADER_BYTES, segment.batchHeaderBytes())) {
            return true;
        }
        return !isBatch(segment, Segment.HEADER_BYTES, position)
                && (resembles(segment, Segment.HEADER_BYTES, position)
                        || remains(segment, Segment.HEADER_BYTES, position).batches() > 0);
    }

    /**
     * Searches for traces of writes from a place on where the log seems to end. Linear in the segment's size: values
     * cannot imitate the magic number that makes a checksum worth computing. Only segments of version 1, whose magic
     * number is known to everyone, can be made to take longer.
     */
    Remains remains(Segment segment, long from, long position) throws IOException {
        window.clear();
        int batches = 0;
        long end = from;
        if (resembles(segment, from, position)) {
            int length = RecordBatchFormat.length(window.array(), window.index(from));
            end = Math.min(from + Math.max(length, segment.batchHeaderBytes()), segment.prepared());
        }
        long at = from;
        while (cover(segment, at, segment.batchHeaderBytes())) {
            boolean isZero = RecordBatchFormat.isZero(window.array(), window.index(at));
            // The check of a large batch moves the window on.
            if (hasMagic(segment, at) && isBatch(segment, at, position)) {
                batches++;
                at += RecordBatchFormat.length(window.array(), window.index(at));
                end = Math.max(end, at);
            } else {
                // A file that was not recycled has only zeros after the end.
                if (!segment.recycled() && !isZero) {
                    end = Math.max(end, at + ALIGNMENT);
                }
                at += ALIGNMENT;
            }
        }
        return new Remains(batches, end);
    }

    private boolean hasMagic(Segment segment, long at) {
        return RecordBatchFormat.hasMagic(window.array(), window.index(at), segment.batchMagic());
    }

    private long first(long at) {
        return RecordBatchFormat.first(window.array(), window.index(at));
    }

    /** Whether an intact batch is there that starts at or after the position. */
    private boolean isBatch(Segment segment, long at, long position) throws IOException {
        if (!cover(segment, at, segment.batchHeaderBytes())) {
            return false;
        }
        int index = window.index(at);
        byte[] array = window.array();
        int length = RecordBatchFormat.length(array, index);
        int count = RecordBatchFormat.count(array, index);
        if (!hasMagic(segment, at)
                || length < segment.batchHeaderBytes() + RecordBatchFormat.RECORD_HEADER_BYTES
                || length % ALIGNMENT != 0
                || at + length > segment.prepared()
                || count < 1
                || count > length / RecordBatchFormat.RECORD_HEADER_BYTES
                || RecordBatchFormat.first(array, index) < position) {
            return false;
        }
        int stored = RecordBatchFormat.storedChecksum(array, index);
        if (checksum(segment, at, length) != stored) {
            return false;
        }
        cover(segment, at, segment.batchHeaderBytes());
        syncedSeen = Math.max(syncedSeen, RecordBatchFormat.syncedPosition(window.array(), window.index(at)));
        return true;
    }

    /** In pieces, since a damaged length may claim any size. */
    private int checksum(Segment segment, long at, int length) throws IOException {
        CRC32C crc = new CRC32C();
        long end = at + length;
        for (long from = at + RecordBatchFormat.CHECKED_FROM; from < end; ) {
            int piece = (int) Math.min(ReadWindow.WINDOW_BYTES, end - from);
            if (!cover(segment, from, piece)) {
                throw new EOFException("The file became shorter while it was read");
            }
            crc.update(window.array(), window.index(from), piece);
            from += piece;
        }
        return RecordBatchFormat.salted(crc, segment.saltAt(at));
    }

    private boolean cover(Segment segment, long at, int bytes) throws IOException {
        return window.covers(at, bytes) || window.fill(segment.file(), at, bytes, segment.prepared());
    }
}
