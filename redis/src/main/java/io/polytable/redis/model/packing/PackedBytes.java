package io.polytable.redis.model.packing;

import io.polytable.table.Bytes;
import java.util.Arrays;

/** A growing byte buffer with a limit, with little-endian numbers as Redis writes them. */
public final class PackedBytes {
    /** One huge value must not pin its memory. */
    private static final int KEPT_BYTES_MAX = 1 << 20;

    private final int limit;
    private byte[] bytes;
    private int size;

    /** Refuses to grow beyond the limit. */
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

    /** Adds {@code width} bytes of the number, lowest first. */
    public PackedBytes littleEndian(long value, int width) {
        room(width);
        for (int i = 0; i < width; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    /** Adds {@code width} bytes of the number, highest first. */
    public PackedBytes bigEndian(long value, int width) {
        room(width);
        for (int i = width - 1; i >= 0; i--) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
        return this;
    }

    /** Overwrites a number. */
    void setLittleEndian(int at, long value, int width) {
        for (int i = 0; i < width; i++) {
            bytes[at + i] = (byte) (value >>> (8 * i));
        }
    }

    /** The bytes so far. They share the buffer's array, which may change when more is added. */
    public Bytes toBytes() {
        return Bytes.of(bytes, 0, size);
    }

    /** Clears it for reuse: what {@link #toBytes()} returned before is no longer valid. */
    public void clear() {
        size = 0;
        if (bytes.length > KEPT_BYTES_MAX) {
            bytes = new byte[KEPT_BYTES_MAX];
        }
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
