package io.polytable.store.log.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A checksummed header of 64 bytes that identifies a file or a page of one:
 *
 * <pre>
 * magic:8  version:4  crc:4  six numbers of 8
 * </pre>
 *
 * The checksum covers everything but itself. The layout is the same in every version, so that old code can distinguish a newer
 * format from damage.
 */
final class Stamp {
    static final int BYTES = 64;
    static final int NUMBERS = 6;
    /** The format version of all files of the log, raised together. A file keeps the version that it was created with. */
    static final int VERSION = 3;

    private static final int CRC_AT = 12;
    private static final int NUMBERS_AT = 16;

    private final int version;
    private final long[] numbers;

    private Stamp(int version, long[] numbers) {
        this.version = version;
        this.numbers = numbers;
    }

    int version() {
        return version;
    }

    long number(int index) {
        return numbers[index];
    }

    static ByteBuffer encode(long magic, long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(0, magic).putInt(8, VERSION);
        for (int i = 0; i < numbers.length; i++) {
            bytes.putLong(NUMBERS_AT + 8 * i, numbers[i]);
        }
        return bytes.putInt(CRC_AT, checksum(bytes.array(), 0));
    }

    /** Decodes the stamp at the start of the array; empty if it is missing, damaged or of another kind. */
    static Optional<Stamp> decode(long magic, byte[] array) {
        ByteBuffer bytes = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getLong(0) != magic || bytes.getInt(CRC_AT) != checksum(array, 0)) {
            return Optional.empty();
        }
        long[] numbers = new long[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = bytes.getLong(NUMBERS_AT + 8 * i);
        }
        return Optional.of(new Stamp(bytes.getInt(8), numbers));
    }

    /** Eight letters as a magic number that is readable in a dump. */
    static long magic(String letters) {
        long magic = 0;
        for (int i = 7; i >= 0; i--) {
            magic = magic << 8 | letters.charAt(i);
        }
        return magic;
    }

    private static int checksum(byte[] array, int offset) {
        CRC32C crc = new CRC32C();
        crc.update(array, offset, CRC_AT);
        crc.update(array, offset + NUMBERS_AT, BYTES - NUMBERS_AT);
        return (int) crc.getValue();
    }
}
