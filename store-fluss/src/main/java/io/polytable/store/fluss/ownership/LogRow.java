package io.polytable.store.fluss.ownership;

/**
 * A row of the log's table.
 *
 * @param offset the bucket offset that its writer expected; the row is in the log only if that is before the next claim
 * @param first the first position that begins in this row; in a continuation of a large group, the position after the
 *     group
 * @param last the last position that begins in this row or before
 * @param ticket an upper bound of all tickets used up to here
 * @param bytesBefore the length of the log up to this row
 * @param more how many following rows belong to the same group
 */
@SuppressWarnings("ArrayRecordComponent") // a handle on bytes that nobody changes; rows are not compared
public record LogRow(
        LogKey key, long offset, long first, long last, long ticket, long bytesBefore, int more, byte[] body) {
    /** A row that holds no records. */
    public static LogRow control(LogKey key, long offset, byte[] body) {
        return new LogRow(key, offset, 0, 0, 0, 0, 0, body);
    }

    public long bytesBehind() {
        return bytesBefore + body.length;
    }
}
