package io.polytable.sql.model.row;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import io.polytable.table.codec.KeyReader;
import io.polytable.table.codec.KeyWriter;
import io.polytable.table.column.ColumnType;
import io.polytable.table.column.SortOrder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.UUID;

/** Encodes single values: order-preserving in keys, compact in rows (docs/formats/rows.md, sql.md). */
public final class StoredValues {
    private static final int DECIMAL_KEY_BYTES = 17;
    private static final long MICROS = 1_000_000;

    private StoredValues() {}

    /** The column type of the store for an SQL type. */
    public static ColumnType physical(SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN -> ColumnType.BOOLEAN;
            case SMALLINT, INT, DATE -> ColumnType.INT;
            case BIGINT, TIME -> ColumnType.BIGINT;
            case FLOAT, DOUBLE -> ColumnType.DOUBLE;
            case TEXT, JSON, UNKNOWN -> ColumnType.STRING;
            case TIMESTAMP -> ColumnType.TIMESTAMP;
            case DECIMAL, BYTES, UUID -> ColumnType.BYTES;
        };
    }

    public static void writeKey(KeyWriter out, SqlType type, Object value) {
        switch (type.kind()) {
            case BOOLEAN -> out.bool((Boolean) value, SortOrder.ASCENDING);
            case SMALLINT, INT -> out.i32((Integer) value, SortOrder.ASCENDING);
            case DATE -> out.i32((int) ((LocalDate) value).toEpochDay(), SortOrder.ASCENDING);
            case BIGINT -> out.i64((Long) value, SortOrder.ASCENDING);
            case TIME -> out.i64(((LocalTime) value).toNanoOfDay() / 1000, SortOrder.ASCENDING);
            // 0.0 and -0.0 are one value in SQL.
            case FLOAT, DOUBLE -> out.f64(((Number) value).doubleValue() + 0.0, SortOrder.ASCENDING);
            case TEXT, JSON, UNKNOWN -> out.string((String) value, SortOrder.ASCENDING);
            case TIMESTAMP -> out.i64(micros((Instant) value), SortOrder.ASCENDING);
            case BYTES -> out.bytes((Bytes) value, SortOrder.ASCENDING);
            case UUID -> out.bytes(uuidBytes((UUID) value), SortOrder.ASCENDING);
            case DECIMAL -> out.bytes(decimalKey((BigDecimal) value), SortOrder.ASCENDING);
        }
    }

    static Object readKey(KeyReader in, SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN -> in.bool(SortOrder.ASCENDING);
            case SMALLINT, INT -> in.i32(SortOrder.ASCENDING);
            case DATE -> LocalDate.ofEpochDay(in.i32(SortOrder.ASCENDING));
            case BIGINT -> in.i64(SortOrder.ASCENDING);
            case TIME -> LocalTime.ofNanoOfDay(in.i64(SortOrder.ASCENDING) * 1000);
            case FLOAT -> (float) in.f64(SortOrder.ASCENDING);
            case DOUBLE -> in.f64(SortOrder.ASCENDING);
            case TEXT, JSON, UNKNOWN -> in.string(SortOrder.ASCENDING);
            case TIMESTAMP -> instant(in.i64(SortOrder.ASCENDING));
            case BYTES -> in.bytes(SortOrder.ASCENDING);
            case UUID -> uuid(in.bytes(SortOrder.ASCENDING));
            case DECIMAL -> fromDecimalKey(in.bytes(SortOrder.ASCENDING), type);
        };
    }

    static void writeRow(BytesWriter out, SqlType type, Object value) {
        switch (type.kind()) {
            case BOOLEAN -> out.u8((Boolean) value ? 1 : 0);
            case SMALLINT, INT -> out.zigzag((Integer) value);
            case DATE -> out.zigzag(((LocalDate) value).toEpochDay());
            case BIGINT -> out.zigzag((Long) value);
            case TIME -> out.zigzag(((LocalTime) value).toNanoOfDay() / 1000);
            case FLOAT, DOUBLE -> out.i64(Double.doubleToRawLongBits(((Number) value).doubleValue()));
            case TEXT, JSON, UNKNOWN -> out.text((String) value);
            case TIMESTAMP -> out.i64(micros((Instant) value));
            case BYTES -> out.sized((Bytes) value);
            case UUID -> out.sized(uuidBytes((UUID) value));
            case DECIMAL ->
                out.sized(Bytes.of(((BigDecimal) value).unscaledValue().toByteArray()));
        }
    }

    static Object readRow(BytesReader in, SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN -> in.u8() == 1;
            case SMALLINT, INT -> (int) in.zigzag();
            case DATE -> LocalDate.ofEpochDay(in.zigzag());
            case BIGINT -> in.zigzag();
            case TIME -> LocalTime.ofNanoOfDay(in.zigzag() * 1000);
            case FLOAT -> (float) Double.longBitsToDouble(in.i64());
            case DOUBLE -> Double.longBitsToDouble(in.i64());
            case TEXT, JSON, UNKNOWN -> in.sized().utf8();
            case TIMESTAMP -> instant(in.i64());
            case BYTES -> in.sized().copy();
            case UUID -> uuid(in.sized());
            case DECIMAL -> new BigDecimal(new BigInteger(in.sized().toByteArray()), type.scale());
        };
    }

    /** Skips a value. */
    static void skip(BytesReader in, ColumnType type) {
        switch (type) {
            case BOOLEAN -> in.u8();
            case INT, BIGINT -> in.varint();
            case DOUBLE, TIMESTAMP -> in.raw(8);
            case STRING, BYTES -> in.sized();
        }
    }

    public static long micros(Instant moment) {
        try {
            return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), MICROS), moment.getNano() / 1000);
        } catch (ArithmeticException overflow) {
            throw new SqlError(SqlCode.DATETIME_OVERFLOW, "timestamp out of range: \"" + Texts.of(moment) + "\"");
        }
    }

    public static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
    }

    private static Bytes uuidBytes(UUID uuid) {
        return new BytesWriter(16)
                .i64(uuid.getMostSignificantBits())
                .i64(uuid.getLeastSignificantBits())
                .toBytes();
    }

    private static UUID uuid(Bytes bytes) {
        BytesReader in = new BytesReader(bytes);
        return new UUID(in.i64(), in.i64());
    }

    /** Two's complement of fixed length with the sign bit flipped, so that the bytes sort like the numbers. */
    private static Bytes decimalKey(BigDecimal value) {
        byte[] compact = value.unscaledValue().toByteArray();
        byte[] key = new byte[DECIMAL_KEY_BYTES];
        byte fill = (byte) (value.signum() < 0 ? 0xff : 0);
        Arrays.fill(key, 0, DECIMAL_KEY_BYTES - compact.length, fill);
        System.arraycopy(compact, 0, key, DECIMAL_KEY_BYTES - compact.length, compact.length);
        key[0] ^= (byte) 0x80;
        return Bytes.of(key);
    }

    private static BigDecimal fromDecimalKey(Bytes key, SqlType type) {
        byte[] bytes = key.toByteArray();
        bytes[0] ^= (byte) 0x80;
        return new BigDecimal(new BigInteger(bytes), type.scale());
    }
}
