package io.polytable.cells.layout;

import io.polytable.cells.CellException;
import io.polytable.cells.CellPosition;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;

/**
 * The key codec of the cell layout: row, family and qualifier, each escaped and terminated as docs/formats/keys.md
 * defines for BYTES, then the timestamp and the kind's code, both inverted so that the newest version sorts first.
 *
 * <p>Row keys are never empty, so the key prefix of an empty row is free for bookkeeping such as nonces.
 */
public final class CellKeys {
    /** Timestamp and kind. */
    static final int TAIL_BYTES = 9;

    private static final byte ESCAPED_ZERO = (byte) 0xff;
    private static final byte END = 1;

    /**
     * Greater than {@link #END} and less than any other byte that may follow a zero: sorts behind all keys with the
     * prefix.
     */
    private static final byte BEHIND = 2;

    private static final Bytes BOOKKEEPING = Bytes.of(new byte[] {0, END});
    private static final Bytes FIRST_ROW = Bytes.of(new byte[] {0, BEHIND});

    private CellKeys() {}

    /** A key in the same table that is outside of all rows. */
    public static Bytes bookkeeping(Bytes suffix) {
        return BOOKKEEPING.concat(suffix);
    }

    public static boolean isBookkeeping(Bytes key) {
        return key.startsWith(BOOKKEEPING);
    }

    /** The row of a stored key that is not for bookkeeping. */
    public static Bytes rowOf(Bytes key) {
        return component(key, 0, end(key, 0));
    }

    /** A stored key with its partition. */
    public static RowKey stored(Bytes key) {
        return new RowKey(key, end(key, 0));
    }

    /** A key that may be corrupt: if its row cannot be decoded, the whole key is the partition. */
    public static RowKey possiblyCorrupt(Bytes key) {
        try {
            return stored(key);
        } catch (CellException e) {
            return RowKey.whole(key);
        }
    }

    /** The common prefix of the row's keys: its partition. */
    static Bytes row(Bytes row) {
        byte[] key = new byte[escapedLength(row)];
        escape(row, key, 0);
        return Bytes.of(key);
    }

    static KeyRange rows(RowRange range) {
        Bytes from = range.from().isEmpty() ? FIRST_ROW : row(range.from());
        Bytes to = range.to().isEmpty() ? Bytes.EMPTY : row(range.to());
        return KeyRange.between(from, to);
    }

    static Bytes key(Bytes rowKey, Bytes family, Bytes qualifier, long timestamp, int kindCode) {
        byte[] key = new byte[rowKey.length() + escapedLength(family) + escapedLength(qualifier) + TAIL_BYTES];
        rowKey.copyTo(key, 0);
        int at = escape(family, key, rowKey.length());
        at = escape(qualifier, key, at);
        long descending = ~(timestamp ^ Long.MIN_VALUE);
        for (int shift = 56; shift >= 0; shift -= 8) {
            key[at++] = (byte) (descending >>> shift);
        }
        key[at] = (byte) ~kindCode;
        return Bytes.of(key);
    }

    static Bytes key(CellPosition position) {
        return key(
                row(position.row()),
                position.family(),
                position.qualifier(),
                position.timestamp(),
                position.kindCode());
    }

    /** The first key behind all keys with this prefix, which must end a component. */
    static Bytes behind(Bytes key, int prefixLength) {
        byte[] next = key.slice(0, prefixLength).toByteArray();
        next[prefixLength - 1] = BEHIND;
        return Bytes.of(next);
    }

    /** The first key behind all keys with this prefix, which must end a component. */
    static Bytes behind(Bytes prefix) {
        return behind(prefix, prefix.length());
    }

    private static int escapedLength(Bytes bytes) {
        int zeros = 0;
        for (int i = 0; i < bytes.length(); i++) {
            if (bytes.at(i) == 0) {
                zeros++;
            }
        }
        return bytes.length() + zeros + 2;
    }

    private static int escape(Bytes bytes, byte[] target, int offset) {
        int at = offset;
        for (int i = 0; i < bytes.length(); i++) {
            byte b = bytes.at(i);
            target[at++] = b;
            if (b == 0) {
                target[at++] = ESCAPED_ZERO;
            }
        }
        target[at++] = 0;
        target[at++] = END;
        return at;
    }

    /** The end offset of the component that starts at the offset, its terminator included. */
    static int end(Bytes key, int offset) {
        for (int i = offset; i + 1 < key.length(); i++) {
            if (key.at(i) == 0) {
                byte next = key.at(i + 1);
                if (next == END) {
                    return i + 2;
                }
                if (next != ESCAPED_ZERO) {
                    break;
                }
                i++;
            }
        }
        throw Damage.of("A cell's key is damaged", key);
    }

    /**
     * Decodes the component between the offset and its end. Usually it has no zero byte, and the result is a slice of
     * the key.
     */
    static Bytes component(Bytes key, int offset, int end) {
        int length = end - 2 - offset;
        for (int i = offset; i < end - 2; i++) {
            if (key.at(i) == 0) {
                return unescaped(key, offset, end - 2);
            }
        }
        return key.slice(offset, offset + length);
    }

    private static Bytes unescaped(Bytes key, int offset, int end) {
        byte[] plain = new byte[end - offset];
        int length = 0;
        for (int i = offset; i < end; i++) {
            plain[length++] = key.at(i);
            if (key.at(i) == 0) {
                i++;
            }
        }
        return Bytes.of(plain, 0, length);
    }

    static long timestamp(Bytes key, int offset) {
        long descending = 0;
        for (int i = 0; i < 8; i++) {
            descending = (descending << 8) | (key.at(offset + i) & 0xff);
        }
        return ~descending ^ Long.MIN_VALUE;
    }

    static int kindCode(Bytes key) {
        return ~key.at(key.length() - 1) & 0xff;
    }
}
