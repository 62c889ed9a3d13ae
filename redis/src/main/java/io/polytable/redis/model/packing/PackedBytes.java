package io.polytable.redis.model.packing;

import io.polytable.table.Bytes;
import java.util.Arrays;

/** Bytes that grow, with little-endian numbers as Redis writes them, up to a limit. */
public final class PackedBytes {
    private final int limit;
    private byte[] bytes;
    private int size;

    /** Refuses to become larger than the limit. */
    public PackedBytes(int limit) {
        this.limit = limit;
        this.bytes = new byte[Math.min(64, Math.max(1, limit))];
    }

    public int size() {
        return size;
    }

    public PackedBytes add(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    public PackedBytes add(Bytes more) {
        room(more.length());
        more.copyTo(bytes, size);
        size += more.length();
        return this;
    }

    /** So many bytes of the number, lowest first. */
    public PackedBytes littleEndian(long value, int width) {
        room(width);
        for (int i = 0; i < width; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    /** So many bytes of the number, highest first. */
    public PackedBytes bigEndian(long value, int width) {
        room(width);
        for (int i = width - 1; i >= 0; i--) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    /** Writes over what stands at a place. */
    void setLittleEndian(int at, long value, int width) {
        for (int i = 0; i < width; i++) {
            bytes[at + i] = (byte) (value >>> (8 * i));
        }
    }

    /** What was added so far; it shares its array, which stays as it is only until more is added. */
    public Bytes toBytes() {
        return Bytes.of(bytes, 0, size);
    }

    private void room(int more) {
        long needed = (long) size + more;
        if (needed > limit) {
            throw new PackedTooLarge();
        }
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(limit, Math.max(needed, 2L * bytes.length)));
        }
    }
}
