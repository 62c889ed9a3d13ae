package io.polytable.table.codec;

import io.polytable.table.Bytes;
import java.util.Arrays;

/** Appends numbers, text and byte runs to a growing array. {@link BytesReader} reads them back. */
public final class BytesWriter {
    private byte[] array;
    private int length;

    public BytesWriter() {
        this(64);
    }

    public BytesWriter(int capacity) {
        array = new byte[Math.max(capacity, 8)];
    }

    public int length() {
        return length;
    }

    public BytesWriter u8(int value) {
        reserve(1);
        array[length++] = (byte) value;
        return this;
    }

    /** Big-endian, four bytes. */
    public BytesWriter i32(int value) {
        reserve(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            array[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Big-endian, eight bytes. */
    public BytesWriter i64(long value) {
        reserve(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            array[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** Seven bits per byte, lowest first, the top bit set on all but the last; unsigned. */
    public BytesWriter varint(long value) {
        reserve(10);
        int at = length;
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            array[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[at++] = (byte) rest;
        length = at;
        return this;
    }

    /** A varint that is short for small numbers of either sign: 0, -1, 1, -2 become 0, 1, 2, 3. */
    public BytesWriter zigzag(long value) {
        return varint((value << 1) ^ (value >> 63));
    }

    /** The bytes as they are. */
    public BytesWriter raw(Bytes bytes) {
        reserve(bytes.length());
        bytes.copyTo(array, length);
        length += bytes.length();
        return this;
    }

    /** The length as a varint, then the bytes. */
    public BytesWriter sized(Bytes bytes) {
        return varint(bytes.length()).raw(bytes);
    }

    /** The text as sized UTF-8. */
    public BytesWriter text(String text) {
        return sized(Bytes.strictUtf8(text));
    }

    /** Inverts every bit from there to the end, which reverses the order of what was written. */
    void invertFrom(int from) {
        for (int i = from; i < length; i++) {
            array[i] = (byte) ~array[i];
        }
    }

    /** A copy of what was written so far. */
    public Bytes toBytes() {
        return Bytes.of(Arrays.copyOf(array, length));
    }

    private void reserve(int more) {
        if (array.length - length < more) {
            array = Arrays.copyOf(
                    array, Math.max(Math.addExact(length, more), (int) Math.min(array.length * 2L, 1 << 30)));
        }
    }
}
