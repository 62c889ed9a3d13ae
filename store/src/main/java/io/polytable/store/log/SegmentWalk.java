package io.polytable.store.log;

import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32C;

/** Reads segments without trusting them, when a log is opened. */
final class SegmentWalk {
    private static final int ALIGNMENT = 4;

    private final ReadWindow window = new ReadWindow();
    private long syncedSeen;

    /**
     * What stands behind the end of a log.
     *
     * @param groups how many whole groups
     * @param end where the last trace of a write ends; the start if there is none
     */
    record Remains(int groups, long end) {}

    /** The highest position that a valid group says was synced. */
    long syncedSeen() {
        return syncedSeen;
    }

    /** Takes in the segment's groups, up to the first place where the expected one is not. */
    void takeIn(Segment segment) throws IOException {
        window.clear();
        while (isGroup(segment, segment.written(), segment.last() + 1)
                && first(segment.written()) == segment.last() + 1) {
            long at = segment.written();
            int index = window.index(at);
            byte[] array = window.array();
            long first = GroupFormat.first(array, index);
            long last = first + GroupFormat.count(array, index) - 1;
            segment.add(first, last, GroupFormat.ticket(array, index), GroupFormat.length(array, index));
        }
    }

    boolean startsWith(Segment segment, long position) throws IOException {
        window.clear();
        return isGroup(segment, Segment.HEADER_BYTES, position) && first(Segment.HEADER_BYTES) == position;
    }

    /** Whether what stands there was meant to be the group that starts with the position, whole or not. */
    boolean resembles(Segment segment, long at, long position) throws IOException {
        window.clear();
        if (!cover(segment, at, GroupFormat.HEADER_BYTES)) {
            return false;
        }
        long first = first(at);
        return first == position || (first > position && GroupFormat.hasMagic(window.array(), window.index(at)));
    }

    /** Whether the segment was used for the position and what follows, but its first group is no longer whole. */
    boolean beginsDamaged(Segment segment, long position) throws IOException {
        window.clear();
        if (!cover(segment, Segment.HEADER_BYTES, GroupFormat.HEADER_BYTES)) {
            return true;
        }
        return !isGroup(segment, Segment.HEADER_BYTES, position)
                && (resembles(segment, Segment.HEADER_BYTES, position)
                        || remains(segment, Segment.HEADER_BYTES, position).groups() > 0);
    }

    /** Looks for traces of writes at and behind a place where the log seems to end. */
    Remains remains(Segment segment, long from, long position) throws IOException {
        window.clear();
        int groups = 0;
        long end = from;
        if (resembles(segment, from, position)) {
            int length = GroupFormat.length(window.array(), window.index(from));
            end = Math.min(from + Math.max(length, GroupFormat.HEADER_BYTES), segment.prepared());
        }
        long at = from;
        while (cover(segment, at, GroupFormat.HEADER_BYTES)) {
            boolean magic = GroupFormat.hasMagic(window.array(), window.index(at));
            if (magic && isGroup(segment, at, position)) {
                groups++;
                at += GroupFormat.length(window.array(), window.index(at));
                end = Math.max(end, at);
            } else {
                // Behind the end of a file that was never used before there is nothing but zeros.
                if (!segment.recycled() && GroupFormat.recordLength(window.array(), window.index(at)) != 0) {
                    end = Math.max(end, at + ALIGNMENT);
                }
                at += ALIGNMENT;
            }
        }
        return new Remains(groups, end);
    }

    private long first(long at) {
        return GroupFormat.first(window.array(), window.index(at));
    }

    /** Whether a whole group stands there that starts at the position or behind it. */
    private boolean isGroup(Segment segment, long at, long position) throws IOException {
        if (!cover(segment, at, GroupFormat.HEADER_BYTES)) {
            return false;
        }
        int index = window.index(at);
        byte[] array = window.array();
        int length = GroupFormat.length(array, index);
        int count = GroupFormat.count(array, index);
        if (!GroupFormat.hasMagic(array, index)
                || length < GroupFormat.HEADER_BYTES + GroupFormat.RECORD_HEADER_BYTES
                || length % ALIGNMENT != 0
                || at + length > segment.prepared()
                || count < 1
                || count > length / GroupFormat.RECORD_HEADER_BYTES
                || GroupFormat.first(array, index) < position) {
            return false;
        }
        int stored = GroupFormat.storedChecksum(array, index);
        if (checksum(segment, at, length) != stored) {
            return false;
        }
        cover(segment, at, GroupFormat.HEADER_BYTES);
        syncedSeen = Math.max(syncedSeen, GroupFormat.syncedPosition(window.array(), window.index(at)));
        return true;
    }

    /** In pieces, since a damaged length may claim any size. */
    private int checksum(Segment segment, long at, int length) throws IOException {
        CRC32C crc = new CRC32C();
        long end = at + length;
        for (long from = at + GroupFormat.CHECKED_FROM; from < end; ) {
            int piece = (int) Math.min(ReadWindow.WINDOW_BYTES, end - from);
            if (!cover(segment, from, piece)) {
                throw new EOFException("The file became shorter while it was read");
            }
            crc.update(window.array(), window.index(from), piece);
            from += piece;
        }
        return GroupFormat.salted(crc, segment.saltAt(at));
    }

    private boolean cover(Segment segment, long at, int bytes) throws IOException {
        return window.covers(at, bytes) || window.fill(segment.file(), at, bytes, segment.prepared());
    }
}
