package io.polytable.store.fluss.ownership;

import java.nio.ByteBuffer;

/**
 * Consecutive rows of one owner that are part of the log.
 *
 * @param firstSeq the first that still exists
 * @param lastSeq the last; before the first if the owner wrote none
 * @param firstPosition the first position in the first row
 * @param lastPosition the last position in the last row
 * @param bytesBefore the length of the log up to the first row
 * @param bytesBehind the length of the log including the last row
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

    /** The span of an owner that has written nothing yet, after the present end of the log. */
    static RowSpan begin(long epoch, long owner, long end, long bytes, long ticket) {
        return new RowSpan(epoch, owner, 1, 0, end + 1, end, bytes, bytes, ticket);
    }

    public boolean isEmpty() {
        return lastSeq < firstSeq;
    }

    public boolean holds(LogKey key) {
        return key.epoch() == epoch && key.owner() == owner && key.seq() >= firstSeq && key.seq() <= lastSeq;
    }

    public LogKey key(long seq) {
        return new LogKey(epoch, owner, seq);
    }

    /** Extends the span up to the row, which is the last of its group. */
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

    /** Drops the rows before the floor. */
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
