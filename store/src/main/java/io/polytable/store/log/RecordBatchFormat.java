package io.polytable.store.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The binary format of a batch (docs/formats/log.md), all numbers little-endian:
 *
 * <pre>
 * magic:4  length:4  crc:4  count:4  first position:8  ticket:8  synced position:8   records
 * record = length:4  rows (multiples of four bytes, see EncodedRow)
 * </pre>
 *
 * The checksum covers everything after it and a salt that differs for every place of a batch: bytes that were valid
 * elsewhere (a recycled file, a misdirected write) are not valid here.
 */
public final class RecordBatchFormat {
    public static final int HEADER_BYTES = 40;
    public static final int RECORD_HEADER_BYTES = 4;
    public static final int MAGIC = 0x31475450; // "PTG1"

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int CRC_AT = 8;
    /** The checksum covers the batch's bytes from here on; a wrong length makes it cover the wrong ones. */
    public static final int CHECKED_FROM = 12;

    private RecordBatchFormat() {}

    /** Fills the batch's header. */
    public static void seal(RecordBatch batch, long syncedPosition, long salt) {
        seal(batch, MAGIC, syncedPosition, salt);
    }

    /** As above, with a magic number of the caller's. */
    public static void seal(RecordBatch batch, int magic, long syncedPosition, long salt) {
        byte[] array = batch.array();
        int at = batch.offset();
        INT.set(array, at, magic);
        INT.set(array, at + 4, batch.length());
        INT.set(array, at + 12, batch.count());
        LONG.set(array, at + 16, batch.first());
        LONG.set(array, at + 24, batch.ticket());
        LONG.set(array, at + 32, syncedPosition);
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

    public static boolean hasMagic(byte[] array, int offset) {
        return hasMagic(array, offset, MAGIC);
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

    /** Writes a record's length in front of its rows. */
    public static void putRecordLength(byte[] array, int offset, int length) {
        INT.set(array, offset, length);
    }

    public static int recordLength(byte[] array, int offset) {
        return (int) INT.get(array, offset);
    }
}
