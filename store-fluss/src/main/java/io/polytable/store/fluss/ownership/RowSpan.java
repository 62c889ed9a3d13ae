package io.polytable.store.fluss.ownership;

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
public record RowSpan(
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
    static RowSpan begin(long epoch, long owner, long end, long bytes, long ticket) {
        return new RowSpan(epoch, owner, 1, 0, end + 1, end, bytes, bytes, ticket);
    }

    public boolean isEmpty() {
        return lastSeq < firstSeq;
    }

    /** Whether the row is one of them. */
    public boolean holds(LogKey key) {
        return key.epoch() == epoch && key.owner() == owner && key.seq() >= firstSeq && key.seq() <= lastSeq;
    }

    public LogKey key(long seq) {
        return new LogKey(epoch, owner, seq);
    }

    /** With everything up to the row, which is the last of its group. */
    public RowSpan upTo(LogRow row) {
        return new RowSpan(
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
    public RowSpan from(Floor floor) {
        return new RowSpan(
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

    static RowSpan decode(ByteBuffer from) {
        return new RowSpan(
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
