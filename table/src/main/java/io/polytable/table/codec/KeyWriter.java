package io.polytable.table.codec;

import io.polytable.table.Bytes;
import io.polytable.table.column.SortOrder;

/**
 * Writes key components so that the unsigned order of the bytes is the order of the values. Components are
 * self-delimiting, so keys of several components sort component by component. docs/formats/keys.md shows the bytes;
 * {@link KeyReader} reads them back.
 */
public final class KeyWriter {
    /** Follows a zero byte inside a run of bytes. */
    static final int ESCAPED_ZERO = 0xff;

    /** Follows the zero byte that ends a run of bytes; below {@link #ESCAPED_ZERO}, so that the shorter run is first. */
    static final int END = 0x01;

    private final BytesWriter out = new BytesWriter();

    public KeyWriter bytes(Bytes value, SortOrder order) {
        int start = out.length();
        escape(value);
        out.u8(0).u8(END);
        return ordered(start, order);
    }

    /** In the order of code points, which is the order of UTF-8. */
    public KeyWriter string(String value, SortOrder order) {
        return bytes(Bytes.strictUtf8(value), order);
    }

    public KeyWriter bool(boolean value, SortOrder order) {
        int start = out.length();
        out.u8(value ? 1 : 0);
        return ordered(start, order);
    }

    public KeyWriter i32(int value, SortOrder order) {
        int start = out.length();
        out.i32(value ^ Integer.MIN_VALUE);
        return ordered(start, order);
    }

    public KeyWriter i64(long value, SortOrder order) {
        int start = out.length();
        out.i64(value ^ Long.MIN_VALUE);
        return ordered(start, order);
    }

    /**
     * In the order of {@link Double#compare}: minus infinity, negative numbers, -0.0, +0.0, positive numbers, infinity,
     * and one NaN, whatever its bits. The zeros are different keys: a frontend for which they are equal writes +0.0.
     */
    public KeyWriter f64(double value, SortOrder order) {
        return i64(ordered(value), order);
    }

    /** A number for each double, in the order of {@link Double#compare}. */
    public static long ordered(double value) {
        long bits = Double.doubleToLongBits(value);
        // The bits of negative numbers grow as the number falls, so all of them are inverted; of other numbers only the
        // sign.
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    private void escape(Bytes value) {
        int copied = 0;
        for (int i = 0; i < value.length(); i++) {
            if (value.at(i) == 0) {
                out.raw(value.slice(copied, i + 1)).u8(ESCAPED_ZERO);
                copied = i + 1;
            }
        }
        out.raw(value.from(copied));
    }

    private KeyWriter ordered(int start, SortOrder order) {
        if (order == SortOrder.DESCENDING) {
            out.invertFrom(start);
        }
        return this;
    }

    public int length() {
        return out.length();
    }

    public Bytes toBytes() {
        return out.toBytes();
    }
}
