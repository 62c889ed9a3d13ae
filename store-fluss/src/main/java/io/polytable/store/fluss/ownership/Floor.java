package io.polytable.store.fluss.ownership;

import java.nio.ByteBuffer;

/**
 * The first row that is kept: those before it are removed, or may be at any time.
 *
 * @param checkpoint the number of the checkpoint that replaces them
 */
public record Floor(LogKey key, long position, long bytesBefore, long checkpoint) {
    private static final int BYTES = 6 * Long.BYTES;

    public static Floor at(LogRow row, long checkpoint) {
        return new Floor(row.key(), row.first(), row.bytesBefore(), checkpoint);
    }

    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(key.epoch())
                .putLong(key.owner())
                .putLong(key.seq())
                .putLong(position)
                .putLong(bytesBefore)
                .putLong(checkpoint)
                .array();
    }

    public static Floor decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        return new Floor(
                new LogKey(from.getLong(), from.getLong(), from.getLong()),
                from.getLong(),
                from.getLong(),
                from.getLong());
    }
}
