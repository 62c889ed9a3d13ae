package io.polytable.cells.layout;

import io.polytable.cells.CellException;
import io.polytable.cells.CellPosition;
import io.polytable.cells.RowRange;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;

/**
 * Keys of the cell layout: row, family and qualifier, each escaped and ended as docs/formats/keys.md says for BYTES, then
 * the timestamp and the kind's code, both turned around so that the newest version comes first.
 *
 * <p>Row keys are never empty, so keys that begin as an empty row's would are free for bookkeeping.
 */
public final class CellKeys {
    /** Timestamp and kind. */
    static final int TAIL_BYTES = 9;

    private static final byte ESCAPED_ZERO = (byte) 0xff;
    private static final byte END = 1;

    /** Greater than {@link #END} and less than anything else that may follow a zero: behind all that has the prefix. */
    private static final byte BEHIND = 2;

    private static final Bytes BOOKKEEPING = Bytes.of(new byte[] {0, END});
    private static final Bytes FIRST_ROW = Bytes.of(new byte[] {0, BEHIND});

    private CellKeys() {}

    /** A key for bookkeeping in the same table, outside of all rows. */
    public static Bytes bookkeeping(Bytes suffix) {
        return BOOKKEEPING.concat(suffix);
    }

    public static boolean isBookkeeping(Bytes key) {
        return key.startsWith(BOOKKEEPING);
    }

    /** The row that a stored key belongs to, which is not one for bookkeeping. */
    public static Bytes rowOf(Bytes key) {
        return component(key, 0, end(key, 0));
    }

    /** A stored key with its partition. */
    public static RowKey stored(Bytes key) {
        return new RowKey(key, end(key, 0));
    }

    /** A key that may be damaged: where no row can be made out in it, it is its own partition. */
    public static RowKey perhapsDamaged(Bytes key) {
        try {
            return stored(key);
        } catch (CellException e) {
            return RowKey.whole(key);
        }
    }

    /** What all keys of the row start with: its partition. */
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

    /** Behind everything that starts with the first bytes of the key, which end a component. */
    static Bytes behind(Bytes key, int prefixLength) {
        byte[] next = key.slice(0, prefixLength).toByteArray();
        next[prefixLength - 1] = BEHIND;
        return Bytes.of(next);
    }

    /** Behind everything that starts with these bytes, which end a component. */
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

    /** Where the component that starts at the offset ends, its end mark included. */
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

    /** The component between the offset and its end. Without a zero byte, which is usual, it is a slice of the key. */
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
