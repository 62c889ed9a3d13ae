package io.polytable.redis.model.change;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Which primary this server follows, and how far: one row, written with every commit that applies the primary's stream,
 * so that after a crash the stream continues exactly behind what was applied. Layout in {@code docs/formats/redis.md}.
 *
 * @param host of the primary
 * @param streamId the 40 characters by which Redis names the stream; empty before the first synchronization
 * @param offset of the last byte of the stream that is applied
 * @param database that the stream has selected
 * @param isLoading whether the keys are incomplete: a full synchronization began and did not end
 */
public record PrimaryPosition(String host, int port, String streamId, long offset, int database, boolean isLoading) {
    private static final byte FORMAT = 1;
    private static final int ID_BYTES = 40;
    private static final int FIXED_BYTES = 2 + Long.BYTES + 1 + Short.BYTES + 1;

    /** A primary that nothing was received from yet. */
    public static PrimaryPosition of(String host, int port) {
        return new PrimaryPosition(host, port, "", 0, 0, false);
    }

    /** Whether the stream can continue here. */
    public boolean isKnown() {
        return !streamId.isEmpty() && !isLoading;
    }

    public PrimaryPosition at(long nextOffset, int nextDatabase) {
        return new PrimaryPosition(host, port, streamId, nextOffset, nextDatabase, isLoading);
    }

    public PrimaryPosition named(String nextId) {
        return new PrimaryPosition(host, port, nextId, offset, database, isLoading);
    }

    public PrimaryPosition loading(boolean begun) {
        return new PrimaryPosition(host, port, streamId, offset, database, begun);
    }

    /** Encodes the row. */
    public Bytes row() {
        byte[] name = host.getBytes(UTF_8);
        byte[] id = streamId.getBytes(US_ASCII);
        ByteBuffer row = ByteBuffer.allocate(FIXED_BYTES + id.length + name.length);
        row.put(FORMAT).put((byte) (isLoading ? 1 : 0)).putLong(offset).put((byte) database);
        row.putShort((short) port).put((byte) id.length).put(id).put(name);
        return Bytes.of(row.array());
    }

    /**
     * Returns the position that a row holds.
     *
     * @throws StoreException when a newer version wrote it
     */
    public static PrimaryPosition decode(Bytes bytes) {
        ByteBuffer row = ByteBuffer.wrap(bytes.toByteArray());
        if (row.remaining() < FIXED_BYTES || row.get() != FORMAT) {
            throw new StoreException(
                    StoreError.NEWER_FORMAT, "The position in a primary's stream has a format unknown here", Map.of());
        }
        boolean isLoading = row.get() == 1;
        long offset = row.getLong();
        int database = row.get();
        int port = row.getShort() & 0xffff;
        byte[] id = new byte[Math.min(row.get(), ID_BYTES)];
        row.get(id);
        byte[] name = new byte[row.remaining()];
        row.get(name);
        return new PrimaryPosition(
                new String(name, UTF_8), port, new String(id, US_ASCII), offset, database, isLoading);
    }
}
