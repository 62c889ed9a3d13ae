package io.polytable.redis.model.rdb;

import io.polytable.redis.model.dump.Crc64;
import io.polytable.redis.model.packing.ByteInput;
import io.polytable.redis.model.packing.MalformedPacking;
import io.polytable.table.Bytes;
import io.polytable.table.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** The bytes of a file or stream, with their position and checksum. */
final class RdbInput implements ByteInput {
    private static final int BUFFER_BYTES = 1 << 16;

    /** A string is allocated in steps of this size where the input's end is not known: its length may be a lie. */
    private static final int STEP_BYTES = 1 << 20;

    private final InputStream in;
    private final long size;
    private final LongConsumer kept;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;

    /** Up to where the buffer is part of {@link #crc}. */
    private int summed;

    private long crc;

    /** The position of the buffer's first byte. */
    private long base;

    /**
     * @param base the position of the stream's first byte in the file
     * @param crc the checksum of the bytes before it
     * @param size the file's; {@link Long#MAX_VALUE} when it is not known
     * @param kept called before a string is copied, with its bytes
     */
    RdbInput(InputStream in, long base, long crc, long size, LongConsumer kept) {
        this.in = in;
        this.base = base;
        this.crc = crc;
        this.size = size;
        this.kept = kept;
    }

    long position() {
        return base + at;
    }

    /** The checksum of everything up to the position. */
    long checksum() {
        crc = Crc64.update(crc, buffer, summed, at - summed);
        summed = at;
        return crc;
    }

    @Override
    public long leftMax() {
        return size == Long.MAX_VALUE ? Long.MAX_VALUE : size - position();
    }

    @Override
    public int next() {
        if (at == end) {
            refill();
        }
        return buffer[at++] & 0xff;
    }

    private void refill() {
        long unused = checksum();
        base += at;
        at = 0;
        summed = 0;
        end = 0;
        try {
            end = Math.max(0, in.read(buffer, 0, BUFFER_BYTES));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        if (end == 0) {
            throw new MalformedPacking("ends too early");
        }
    }

    @Override
    public Bytes take(long count) {
        if (count < 0 || count > leftMax()) {
            throw new MalformedPacking("ends too early");
        }
        if (count > Limits.STRING_BYTES_MAX) {
            throw new MalformedPacking("a string of " + count + " bytes is larger than the limit of "
                    + Limits.STRING_BYTES_MAX + " bytes here");
        }
        int length = (int) count;
        boolean isCertain = size != Long.MAX_VALUE;
        byte[] bytes = new byte[isCertain ? 0 : Math.min(length, STEP_BYTES)];
        if (isCertain) {
            kept.accept(length);
            bytes = new byte[length];
        }
        int filled = 0;
        while (filled < length) {
            if (filled == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
            }
            if (at == end) {
                refill();
            }
            int step = Math.min(end - at, bytes.length - filled);
            System.arraycopy(buffer, at, bytes, filled, step);
            at += step;
            filled += step;
        }
        if (!isCertain) {
            kept.accept(length);
        }
        return Bytes.of(bytes);
    }

    @Override
    public long littleEndian(int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value |= (long) next() << (8 * i);
        }
        int unused = Long.SIZE - 8 * width;
        return value << unused >> unused;
    }

    @Override
    public long bigEndian(int width) {
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = value << 8 | next();
        }
        return value;
    }
}
