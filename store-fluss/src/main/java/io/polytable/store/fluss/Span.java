package io.polytable.store.fluss;

import java.nio.ByteBuffer;

/**
 * Consecutive rows of one owner that are part of the log.
 *
 * @param firstSeq the first of them that is still there
 * @param lastSeq the last; before the first when the owner wrote none
 * @param firstPosition the first position in the first row
 * @param lastPosition the last position in the last row
 * @param bytesBefore the length of the log up to the first row
 * @param bytesBehind the length of the log with the last row
 * @param ticket of the last row
 */
record Span(
        long epoch,
        long owner,
        long firstSeq,
        long lastSeq,
        long firstPosition,
        long lastPosition,
        long bytesBefore,
        long bytesBehind,
        long ticket) {
    static final int BYTES = 9 * Long.BYTES;

    /** An owner that has written nothing yet, behind what the log holds so far. */
    static Span begin(long epoch, long owner, long end, long bytes, long ticket) {
        return new Span(epoch, owner, 1, 0, end + 1, end, bytes, bytes, ticket);
    }

    boolean isEmpty() {
        return lastSeq < firstSeq;
    }

    LogKey key(long seq) {
        return new LogKey(epoch, owner, seq);
    }

    /** With everything up to the row, which is the last of its group. */
    Span upTo(LogRow row) {
        return new Span(
                epoch,
                owner,
                firstSeq,
                row.key().seq(),
                firstPosition,
                row.last(),
                bytesBefore,
                row.bytesBehind(),
                row.ticket());
    }

    /** Without what is before the row. */
    Span from(Floor floor) {
        return new Span(
                epoch,
                owner,
                floor.key().seq(),
                lastSeq,
                floor.position(),
                lastPosition,
                floor.bytesBefore(),
                bytesBehind,
                ticket);
    }

    void encode(ByteBuffer into) {
        into.putLong(epoch).putLong(owner).putLong(firstSeq).putLong(lastSeq);
        into.putLong(firstPosition).putLong(lastPosition);
        into.putLong(bytesBefore).putLong(bytesBehind).putLong(ticket);
    }

    static Span decode(ByteBuffer from) {
        return new Span(
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong());
    }
}
