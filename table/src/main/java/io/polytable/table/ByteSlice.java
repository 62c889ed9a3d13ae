package io.polytable.table;

import java.util.Arrays;

/**
 * A movable view of bytes in an array, for readers of many rows. Unlike {@link Bytes} it is moved from row to row, so
 * that a scan allocates nothing per row. The provider documents how long the bytes stay valid.
 */
public final class ByteSlice {
    private byte[] array = new byte[0];
    private int offset;
    private int length;

    public ByteSlice set(byte[] newArray, int newOffset, int newLength) {
        array = newArray;
        offset = newOffset;
        length = newLength;
        return this;
    }

    public ByteSlice set(Bytes bytes) {
        return set(bytes.array(), bytes.offset(), bytes.length());
    }

    public byte[] array() {
        return array;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    public byte at(int index) {
        return array[offset + index];
    }

    /** Unsigned, the shorter first. */
    public int compareWith(ByteSlice other) {
        return compareWith(other.array, other.offset, other.length);
    }

    /** Unsigned, the shorter first. */
    public int compareWith(Bytes other) {
        return compareWith(other.array(), other.offset(), other.length());
    }

    private int compareWith(byte[] other, int otherOffset, int otherLength) {
        return Arrays.compareUnsigned(array, offset, offset + length, other, otherOffset, otherOffset + otherLength);
    }

    public boolean startsWith(Bytes prefix) {
        int end = prefix.length();
        return length >= end
                && Arrays.equals(array, offset, offset + end, prefix.array(), prefix.offset(), prefix.offset() + end);
    }

    /** An immutable copy. */
    public Bytes toBytes() {
        return Bytes.of(Arrays.copyOfRange(array, offset, offset + length));
    }

    /** For messages only: the current bytes. */
    @Override
    public String toString() {
        return Bytes.of(array, offset, length).toString();
    }
}
