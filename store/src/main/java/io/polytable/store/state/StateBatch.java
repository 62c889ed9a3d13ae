package io.polytable.store.state;

import io.polytable.table.Bytes;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * RocksDB's write batch, serialized in Java so that thousands of rows cross into native code in one call: a header of
 * twelve bytes (sequence number, set by RocksDB, and count), then one entry per row.
 */
final class StateBatch {
    private static final int HEADER_BYTES = 12;
    private static final int COUNT_AT = 8;
    private static final byte FAMILY_DELETE = 0x4;
    private static final byte FAMILY_PUT = 0x5;
    private static final byte FAMILY_DELETE_RANGE = 0xE;

    private static final int FIRST_BYTES = 1 << 16;

    /**
     * A row beyond this size makes the buffer grow to exactly its size, so that it goes to RocksDB without another
     * copy.
     */
    private static final int LARGE_BYTES = 1 << 22;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length = HEADER_BYTES;
    private int count;

    void put(int family, byte[] array, int keyOffset, int keyLength, int valueLength) {
        start(FAMILY_PUT, family, sizeOf(keyLength) + sizeOf(valueLength));
        blob(array, keyOffset, keyLength);
        blob(array, keyOffset + keyLength, valueLength);
    }

    void put(int family, Bytes key, Bytes value) {
        start(FAMILY_PUT, family, sizeOf(key.length()) + sizeOf(value.length()));
        blob(key.array(), key.offset(), key.length());
        blob(value.array(), value.offset(), value.length());
    }

    void delete(int family, byte[] array, int keyOffset, int keyLength) {
        start(FAMILY_DELETE, family, sizeOf(keyLength));
        blob(array, keyOffset, keyLength);
    }

    void deleteRange(int family, Bytes from, Bytes to) {
        start(FAMILY_DELETE_RANGE, family, sizeOf(from.length()) + sizeOf(to.length()));
        blob(from.array(), from.offset(), from.length());
        blob(to.array(), to.offset(), to.length());
    }

    private void start(byte tag, int family, int payload) {
        int needed = 1 + varintSize(family) + payload;
        if (bytes.length - length < needed) {
            int twice = needed > LARGE_BYTES ? 0 : Math.min(bytes.length, 1 << 29) * 2;
            bytes = Arrays.copyOf(bytes, Math.max(length + needed, twice));
        }
        bytes[length++] = tag;
        varint(family);
        count++;
    }

    private void blob(byte[] array, int offset, int size) {
        varint(size);
        System.arraycopy(array, offset, bytes, length, size);
        length += size;
    }

    private static int sizeOf(int blob) {
        return varintSize(blob) + blob;
    }

    private static int varintSize(int value) {
        return 1 + (31 - Integer.numberOfLeadingZeros(value | 1)) / 7;
    }

    private void varint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    int sizeBytes() {
        return length;
    }

    /** Builds RocksDB's batch and empties this one. */
    WriteBatch build() throws RocksDBException {
        for (int i = 0; i < 4; i++) {
            bytes[COUNT_AT + i] = (byte) (count >>> (8 * i));
        }
        WriteBatch batch = new WriteBatch(bytes.length == length ? bytes : Arrays.copyOf(bytes, length));
        clear();
        return batch;
    }

    void clear() {
        if (bytes.length > LARGE_BYTES) {
            // One large row must not hold its memory forever.
            bytes = new byte[FIRST_BYTES];
        }
        length = HEADER_BYTES;
        count = 0;
    }
}
