package io.polytable.redis.model.packing;

import io.polytable.table.Bytes;

/** Reads what {@link PackedBytes} writes, from untrusted bytes. */
public final class PackedInput implements ByteInput {
    private final Bytes bytes;
    private int at;

    public PackedInput(Bytes bytes) {
        this.bytes = bytes;
    }

    public int left() {
        return bytes.length() - at;
    }

    @Override
    public long leftMax() {
        return left();
    }

    @Override
    public int next() {
        need(1);
        return bytes.at(at++) & 0xff;
    }

    /** The next bytes, not copied. */
    @Override
    public Bytes take(long count) {
        need(count);
        at += (int) count;
        return bytes.slice(at - (int) count, at);
    }

    public void skip(long count) {
        need(count);
        at += (int) count;
    }

    @Override
    public long littleEndian(int width) {
        need(width);
        long value = 0;
        for (int i = 0; i < width; i++) {
            value |= (bytes.at(at++) & 0xffL) << (8 * i);
        }
        int unused = Long.SIZE - 8 * width;
        return value << unused >> unused;
    }

    @Override
    public long bigEndian(int width) {
        need(width);
        long value = 0;
        for (int i = 0; i < width; i++) {
            value = value << 8 | (bytes.at(at++) & 0xff);
        }
        return value;
    }

    private void need(long count) {
        if (count < 0 || count > left()) {
            throw new MalformedPacking("ends too early");
        }
    }

    /** Fails unless everything was read. */
    public void end() {
        if (left() > 0) {
            throw new MalformedPacking("does not end where it should");
        }
    }
}
