package io.polytable.redis.model.dump;

import io.polytable.redis.model.packing.PackedBytes;
import io.polytable.redis.model.packing.PackedInput;
import io.polytable.table.Bytes;
import java.util.Optional;

/**
 * The answer of DUMP: a type and a value, then the version of the format and a checksum of everything before it.
 *
 * <pre>
 * type:1  value  version:2  checksum:8      both little-endian
 * </pre>
 */
final class Payload {
    private static final int FOOTER_BYTES = Short.BYTES + Long.BYTES;

    private Payload() {}

    /** Adds the version and the checksum. */
    static Bytes seal(PackedBytes value, DumpFormat.Version version) {
        value.littleEndian(version.number(), Short.BYTES);
        value.littleEndian(Crc64.of(value.toBytes()), Long.BYTES);
        return value.toBytes();
    }

    /** Type and value; empty when the checksum is wrong or the version is too new. */
    static Optional<Bytes> open(Bytes payload) {
        int end = payload.length() - FOOTER_BYTES;
        if (end < 0) {
            return Optional.empty();
        }
        PackedInput footer = new PackedInput(payload.from(end));
        long version = footer.littleEndian(Short.BYTES) & 0xffff;
        long checksum = footer.littleEndian(Long.BYTES);
        boolean isWhole = checksum == Crc64.of(payload.slice(0, end + Short.BYTES));
        return isWhole && version <= DumpFormat.Version.OF_7_2.number()
                ? Optional.of(payload.slice(0, end))
                : Optional.empty();
    }
}
