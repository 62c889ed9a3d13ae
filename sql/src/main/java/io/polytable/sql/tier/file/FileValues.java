package io.polytable.sql.tier.file;

import io.polytable.sql.type.SqlType;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;

/** Converts single values to Parquet and back. */
final class FileValues {
    private static final long MICROS = 1_000_000;

    private FileValues() {}

    static void write(RecordConsumer out, SqlType type, Object value) {
        switch (type.kind()) {
            case BOOLEAN -> out.addBoolean((Boolean) value);
            case SMALLINT, INT, DATE -> out.addInteger((Integer) number(type, value));
            case BIGINT, TIME, TIMESTAMP -> out.addLong((Long) number(type, value));
            case FLOAT -> out.addFloat((Float) value);
            case DOUBLE -> out.addDouble((Double) value);
            case TEXT, JSON, UNKNOWN, BYTES, UUID -> out.addBinary(binary(type, value));
            case DECIMAL -> writeDecimal(out, type, (BigDecimal) value);
        }
    }

    private static void writeDecimal(RecordConsumer out, SqlType type, BigDecimal value) {
        if (type.precision() <= FileTypes.INT_DIGITS) {
            out.addInteger(value.unscaledValue().intValueExact());
        } else if (type.precision() <= FileTypes.LONG_DIGITS) {
            out.addLong(value.unscaledValue().longValueExact());
        } else {
            out.addBinary(binary(type, value));
        }
    }

    /** A value that is an INT32 or an INT64 in files: {@link Integer} or {@link Long}. */
    static Object number(SqlType type, Object value) {
        return switch (type.kind()) {
            case DATE -> Math.toIntExact(((LocalDate) value).toEpochDay());
            case TIME -> ((LocalTime) value).toNanoOfDay() / 1000;
            case TIMESTAMP -> micros((Instant) value);
            default -> value;
        };
    }

    static Binary binary(SqlType type, Object value) {
        return switch (type.kind()) {
            case BYTES -> Binary.fromConstantByteArray(((Bytes) value).toByteArray());
            case UUID -> {
                UUID uuid = (UUID) value;
                yield Binary.fromConstantByteArray(ByteBuffer.allocate(FileTypes.UUID_BYTES)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array());
            }
            case DECIMAL -> {
                byte[] compact = ((BigDecimal) value).unscaledValue().toByteArray();
                byte[] full = new byte[FileTypes.DECIMAL_BYTES];
                Arrays.fill(full, (byte) (((BigDecimal) value).signum() < 0 ? -1 : 0));
                System.arraycopy(compact, 0, full, full.length - compact.length, compact.length);
                yield Binary.fromConstantByteArray(full);
            }
            // Not fromString: it keeps the bytes behind a buffer, which takes longer to hash and to compare.
            default -> Binary.fromConstantByteArray(((String) value).getBytes(StandardCharsets.UTF_8));
        };
    }

    static Object ofInt(SqlType type, int value) {
        return switch (type.kind()) {
            case DATE -> LocalDate.ofEpochDay(value);
            case DECIMAL -> BigDecimal.valueOf(value, type.scale());
            default -> value;
        };
    }

    static Object ofLong(SqlType type, long value) {
        return switch (type.kind()) {
            case TIME -> LocalTime.ofNanoOfDay(value * 1000);
            case TIMESTAMP -> instant(value);
            case DECIMAL -> BigDecimal.valueOf(value, type.scale());
            default -> value;
        };
    }

    static Object ofBinary(SqlType type, Binary value) {
        return switch (type.kind()) {
            case BYTES -> Bytes.of(value.getBytes());
            case UUID -> {
                ByteBuffer bytes = ByteBuffer.wrap(value.getBytes());
                yield new UUID(bytes.getLong(), bytes.getLong());
            }
            case DECIMAL -> new BigDecimal(new BigInteger(value.getBytes()), type.scale());
            default -> value.toStringUsingUTF8();
        };
    }

    static long micros(Instant moment) {
        return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), MICROS), moment.getNano() / 1000);
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
    }
}
