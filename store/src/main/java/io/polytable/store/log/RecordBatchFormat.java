package io.polytable.store.log;

import io.polytable.table.Origin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The binary format of a batch (docs/formats/log.md), all numbers little-endian:
 *
 * <pre>
 * magic:4  length:4  crc:4  count:4  first position:8  ticket:8  synced position:8  time:8   records
 * record = length and origin:4  rows (multiples of four bytes, see EncodedRow)
 * </pre>
 *
 * A record's length is a multiple of four; its lowest two bits are the {@link Origin}. Batches of earlier versions have
 * no time, and no other origin than a client.
 *
 * The checksum covers everything after it and a salt that differs for every place of a batch: bytes that were valid
 * elsewhere (a recycled file, a misdirected write) are not valid here.
 */
public final class RecordBatchFormat {
    public static final int HEADER_BYTES = 48;

    /** The header without a time, as earlier versions wrote it. */
    public static final int UNTIMED_HEADER_BYTES = 40;

    public static final int RECORD_HEADER_BYTES = 4;
    public static final int MAGIC = 0x32475450; // "PTG2"

    /** The magic number of batches without a time. */
    public static final int UNTIMED_MAGIC = 0x31475450; // "PTG1"

    private static final int ORIGIN_BITS = 3;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int CRC_AT = 8;
    /** The checksum covers the batch's bytes from here on; a wrong length makes it cover the wrong ones. */
    public static final int CHECKED_FROM = 12;

    private RecordBatchFormat() {}

    /** Fills the batch's header. */
    public static void seal(RecordBatch batch, long syncedPosition, long millis, long salt) {
        seal(batch, MAGIC, syncedPosition, millis, salt);
    }

    /** As above, with a magic number of the caller's. */
    public static void seal(RecordBatch batch, int magic, long syncedPosition, long millis, long salt) {
        byte[] array = batch.array();
        int at = batch.offset();
        INT.set(array, at, magic);
        INT.set(array, at + 4, batch.length());
        INT.set(array, at + 12, batch.count());
        LONG.set(array, at + 16, batch.first());
        LONG.set(array, at + 24, batch.ticket());
        LONG.set(array, at + 32, syncedPosition);
        LONG.set(array, at + 40, millis);
        INT.set(array, at + CRC_AT, checksum(array, at, batch.length(), salt));
    }

    public static int checksum(byte[] array, int offset, int length, long salt) {
        CRC32C crc = new CRC32C();
        crc.update(array, offset + CHECKED_FROM, length - CHECKED_FROM);
        return salted(crc, salt);
    }

    /**
     * Adds the salt to the checksum of a batch's bytes from {@link #CHECKED_FROM} on. A CRC is linear, so adding the
     * salt afterwards is as good as hashing it first, and allocates nothing.
     */
    public static int salted(CRC32C crc, long salt) {
        return (int) (crc.getValue() ^ salt ^ salt >>> 32);
    }

    /** The length of a header with one of the common magic numbers; empty if there is none. */
    public static OptionalInt headerBytes(byte[] array, int offset, int available) {
        if (available >= HEADER_BYTES && hasMagic(array, offset, MAGIC)) {
            return OptionalInt.of(HEADER_BYTES);
        }
        return available >= UNTIMED_HEADER_BYTES && hasMagic(array, offset, UNTIMED_MAGIC)
                ? OptionalInt.of(UNTIMED_HEADER_BYTES)
                : OptionalInt.empty();
    }

    public static boolean hasMagic(byte[] array, int offset, int magic) {
        return (int) INT.get(array, offset) == magic;
    }

    public static int length(byte[] array, int offset) {
        return (int) INT.get(array, offset + 4);
    }

    public static int storedChecksum(byte[] array, int offset) {
        return (int) INT.get(array, offset + CRC_AT);
    }

    public static int count(byte[] array, int offset) {
        return (int) INT.get(array, offset + 12);
    }

    public static long first(byte[] array, int offset) {
        return (long) LONG.get(array, offset + 16);
    }

    public static long ticket(byte[] array, int offset) {
        return (long) LONG.get(array, offset + 24);
    }

    public static long syncedPosition(byte[] array, int offset) {
        return (long) LONG.get(array, offset + 32);
    }

    /** When the batch was written, in milliseconds since 1970; only if its header has {@link #HEADER_BYTES}. */
    public static long millis(byte[] array, int offset) {
        return (long) LONG.get(array, offset + 40);
    }

    /** Writes a record's length and origin in front of its rows. */
    public static void putRecordHeader(byte[] array, int offset, int length, Origin origin) {
        INT.set(array, offset, length | origin.code());
    }

    public static int recordLength(byte[] array, int offset) {
        return (int) INT.get(array, offset) & ~ORIGIN_BITS;
    }

    public static Origin origin(byte[] array, int offset) {
        return Origin.of((int) INT.get(array, offset) & ORIGIN_BITS);
    }

    /** Whether the four bytes there are zeros. */
    public static boolean isZero(byte[] array, int offset) {
        return (int) INT.get(array, offset) == 0;
    }
}
