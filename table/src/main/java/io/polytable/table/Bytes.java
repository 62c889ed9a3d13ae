package io.polytable.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Map;

/**
 * An immutable slice of an array, compared unsigned. It may point into a large shared array (a log record, a network
 * buffer) that is never written again. {@link #copy()} makes a separate array where a small slice would otherwise keep
 * a large array alive.
 */
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final byte[] array;
    private final int offset;
    private final int length;

    private Bytes(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /** Wraps the whole array without copying; the caller must not change it any more. */
    public static Bytes of(byte[] array) {
        return new Bytes(array, 0, array.length);
    }

    public static Bytes of(byte[] array, int offset, int length) {
        if ((offset | length | (array.length - offset - length)) < 0) {
            throw new IndexOutOfBoundsException("offset " + offset + ", length " + length + " of " + array.length);
        }
        return new Bytes(array, offset, length);
    }

    public static Bytes utf8(String text) {
        return of(text.getBytes(UTF_8));
    }

    /**
     * The text's UTF-8, refusing half surrogate pairs: the lenient encoder turns each into a question mark, so that two
     * different texts would become the same bytes.
     */
    public static Bytes strictUtf8(String text) {
        try {
            ByteBuffer encoded = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return Bytes.of(encoded.array(), encoded.arrayOffset() + encoded.position(), encoded.remaining());
        } catch (CharacterCodingException e) {
            throw new StoreException(StoreError.BAD_VALUE, "Text has half a surrogate pair", Map.of(), e);
        }
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

    public boolean isEmpty() {
        return length == 0;
    }

    public byte at(int index) {
        return array[offset + index];
    }

    public Bytes slice(int from, int to) {
        return of(array, offset + from, to - from);
    }

    public Bytes from(int from) {
        return slice(from, length);
    }

    public boolean startsWith(Bytes prefix) {
        return length >= prefix.length
                && Arrays.equals(
                        array,
                        offset,
                        offset + prefix.length,
                        prefix.array,
                        prefix.offset,
                        prefix.offset + prefix.length);
    }

    /** The same bytes in an array of their own. */
    public Bytes copy() {
        return of(toByteArray());
    }

    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    public void copyTo(byte[] target, int at) {
        System.arraycopy(array, offset, target, at, length);
    }

    public Bytes concat(Bytes other) {
        byte[] joined = Arrays.copyOfRange(array, offset, offset + length + other.length);
        other.copyTo(joined, length);
        return of(joined);
    }

    /**
     * The smallest byte string greater than every string with this prefix, or empty if there is none (all bytes are
     * 0xff). An empty upper bound of a {@link KeyRange} means unbounded, so the two fit together.
     */
    public Bytes successorOfPrefix() {
        for (int end = length; end > 0; end--) {
            if (at(end - 1) != (byte) 0xff) {
                byte[] next = Arrays.copyOfRange(array, offset, offset + end);
                next[end - 1]++;
                return of(next);
            }
        }
        return EMPTY;
    }

    public String utf8() {
        return new String(array, offset, length, UTF_8);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(
                array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof Bytes that
                && length == that.length
                && Arrays.equals(array, offset, offset + length, that.array, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    /** Printable ASCII as it is, everything else as \xNN. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(length + 2).append('"');
        for (int i = 0; i < length; i++) {
            int b = at(i) & 0xff;
            if (b >= ' ' && b < 0x7f && b != '"' && b != '\\') {
                text.append((char) b);
            } else {
                text.append("\\x").append(HEX[b >> 4]).append(HEX[b & 15]);
            }
        }
        return text.append('"').toString();
    }
}
