package io.polytable.table.write;

import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * A view on one row change as {@link Batch} writes it and the commit log keeps it, moved from row to row without
 * allocating. The bytes (docs/formats/log.md):
 *
 * <pre>
 * op:1  table:varint  partition:varint  key:varint  value:varint  key bytes  value bytes  zeros up to a multiple of 4
 * </pre>
 *
 * Rows start at multiples of four, so that an engine can name a place in 256 GiB with 36 bits.
 */
public final class EncodedRow {
    public static final byte PUT = 1;
    public static final byte DELETE = 2;
    /** Key: first key; value: exclusive upper key, empty for none. */
    public static final byte DELETE_RANGE = 3;

    static final int ALIGNMENT = 4;

    /** One op and four varints of at most five bytes. */
    static final int HEADER_BYTES_MAX = 21;

    private static final byte[] NOWHERE = new byte[0];

    private byte[] array = NOWHERE;
    private byte op;
    private int table;
    private int partitionLength;
    private int keyOffset;
    private int keyLength;
    private int valueLength;

    private int at;

    /** Moves to the row that starts there. */
    public EncodedRow moveTo(byte[] source, int offset) {
        array = source;
        op = source[offset];
        at = offset + 1;
        table = varint();
        partitionLength = varint();
        keyLength = varint();
        valueLength = varint();
        keyOffset = at;
        return this;
    }

    private int varint() {
        int b = array[at++];
        if (b >= 0) {
            return b;
        }
        int value = b & 0x7f;
        for (int shift = 7; shift < 35; shift += 7) {
            b = array[at++];
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("varint of more than five bytes");
    }

    /** Whether the row at this offset belongs to the table and has this key; for lookups without a view. */
    public static boolean isOf(byte[] source, int offset, int table, byte[] key, int keyOffset, int keyLength) {
        long field = varintAt(source, offset + 1);
        if ((int) field != table) {
            return false;
        }
        field = varintAt(source, next(field));
        field = varintAt(source, next(field));
        if ((int) field != keyLength) {
            return false;
        }
        int start = next(varintAt(source, next(field)));
        return Arrays.equals(source, start, start + keyLength, key, keyOffset, keyOffset + keyLength);
    }

    /** The value of the row at this offset. */
    public static Bytes valueAt(byte[] source, int offset) {
        long key = varintAt(source, next(varintAt(source, next(varintAt(source, offset + 1)))));
        long value = varintAt(source, next(key));
        return Bytes.of(source, next(value) + (int) key, (int) value);
    }

    /** A varint in the low half, and the offset behind it in the high half. */
    private static long varintAt(byte[] source, int offset) {
        int at = offset;
        int b = source[at++];
        int value = b & 0x7f;
        for (int shift = 7; b < 0 && shift < 35; shift += 7) {
            b = source[at++];
            value |= (b & 0x7f) << shift;
        }
        return ((long) at << Integer.SIZE) | value;
    }

    private static int next(long field) {
        return (int) (field >>> Integer.SIZE);
    }

    static int putVarint(byte[] target, int offset, int value) {
        int at = offset;
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        return at;
    }

    public static int aligned(int length) {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    public byte op() {
        return op;
    }

    public int table() {
        return table;
    }

    public int partitionLength() {
        return partitionLength;
    }

    public byte[] array() {
        return array;
    }

    public int keyOffset() {
        return keyOffset;
    }

    public int keyLength() {
        return keyLength;
    }

    public int valueOffset() {
        return keyOffset + keyLength;
    }

    public int valueLength() {
        return valueLength;
    }

    public Bytes key() {
        return Bytes.of(array, keyOffset, keyLength);
    }

    public Bytes value() {
        return Bytes.of(array, keyOffset + keyLength, valueLength);
    }

    /** The offset of the next row, if this one starts at a multiple of four. */
    public int end() {
        return aligned(keyOffset + keyLength + valueLength);
    }
}
