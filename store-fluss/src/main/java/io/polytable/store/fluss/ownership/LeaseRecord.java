package io.polytable.store.fluss.ownership;

import java.nio.ByteBuffer;

/**
 * The content of the lease row. It may be stale, since a former owner's renewal can land late: it counts only if no
 * claim after its owner's was confirmed.
 *
 * @param held false if the owner released it
 * @param millis the time without any write after which the lease has expired
 */
public record LeaseRecord(long epoch, long owner, boolean held, long millis) {
    private static final int BYTES = 4 * Long.BYTES;

    /** The row that renews or releases the lease. */
    public LogRow row(long offset) {
        return LogRow.control(LogKey.LEASE, offset, encode());
    }

    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(epoch)
                .putLong(owner)
                .putLong(held ? 1 : 0)
                .putLong(millis)
                .array();
    }

    public static LeaseRecord decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        return new LeaseRecord(from.getLong(), from.getLong(), from.getLong() == 1, from.getLong());
    }
}
