package io.polytable.sql.query.duck;

import io.polytable.sql.type.SqlType;
import io.polytable.sql.type.Texts;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts values between DuckDB's driver and our types. */
public final class DuckValues {
    private DuckValues() {}

    public static void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(index, Types.VARCHAR);
        } else if (value instanceof Bytes bytes) {
            statement.setBytes(index, bytes.toByteArray());
        } else if (value instanceof Instant moment) {
            statement.setObject(index, moment.atOffset(ZoneOffset.UTC));
        } else {
            statement.setObject(index, value);
        }
    }

    public static SqlType type(String name, int precision, int scale) {
        return switch (name) {
            case "BOOLEAN" -> SqlType.BOOLEAN;
            case "TINYINT", "SMALLINT", "UTINYINT" -> SqlType.SMALLINT;
            case "INTEGER", "USMALLINT" -> SqlType.INT;
            case "BIGINT", "UINTEGER" -> SqlType.BIGINT;
            case "HUGEINT", "UHUGEINT", "UBIGINT", "BIGNUM" -> SqlType.decimal(SqlType.DECIMAL_DIGITS_MAX, 0);
            case "FLOAT" -> SqlType.FLOAT;
            case "DOUBLE" -> SqlType.DOUBLE;
            case "BLOB" -> SqlType.BYTES;
            case "JSON" -> SqlType.JSON;
            case "DATE" -> SqlType.DATE;
            case "TIME", "TIME_NS" -> SqlType.TIME;
            case "UUID" -> SqlType.UUID;
            default -> other(name, precision, scale);
        };
    }

    private static SqlType other(String name, int precision, int scale) {
        if (name.startsWith("TIMESTAMP")) {
            return SqlType.TIMESTAMP;
        }
        return name.startsWith("DECIMAL") ? SqlType.decimal(precision, scale) : SqlType.TEXT;
    }

    /**
     * Reads a value of the current row.
     *
     * @param typeName DuckDB's type name, for types that we only show as text
     */
    public static @Nullable Object read(ResultSet result, int index, SqlType type, String typeName)
            throws SQLException {
        Object value = result.getObject(index);
        if (value == null) {
            return null;
        }
        return switch (type.kind()) {
            case BOOLEAN, BIGINT, FLOAT, DOUBLE -> type.is(SqlType.Kind.BIGINT) ? ((Number) value).longValue() : value;
            case SMALLINT, INT -> ((Number) value).intValue();
            case DECIMAL -> decimal(value);
            case BYTES -> value instanceof Blob blob ? Bytes.of(blob.getBytes(1, (int) blob.length())) : value;
            case DATE -> value instanceof LocalDate date ? date : LocalDate.parse(value.toString());
            case TIME -> value instanceof LocalTime time ? time : LocalTime.parse(value.toString());
            case TIMESTAMP -> moment(value instanceof Timestamp ? result.getObject(index, LocalDateTime.class) : value);
            case UUID -> value instanceof UUID uuid ? uuid : UUID.fromString(value.toString());
            case TEXT, JSON, UNKNOWN -> text(value, typeName);
        };
    }

    private static String text(Object value, String typeName) throws SQLException {
        boolean plain = value instanceof String && !typeName.equals("INTERVAL");
        return plain ? (String) value : PostgresTexts.of(value, typeName);
    }

    /** A value inside a list or a row. */
    static String plainText(Object value) {
        return Texts.of(value instanceof LocalDateTime moment ? moment.toInstant(ZoneOffset.UTC) : value);
    }

    private static BigDecimal decimal(Object value) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        return value instanceof BigInteger big ? new BigDecimal(big) : new BigDecimal(value.toString());
    }

    /** @param value no {@link Timestamp}, which has no years before Christ */
    private static Object moment(Object value) {
        if (value instanceof OffsetDateTime moment) {
            return moment.toInstant();
        }
        if (value instanceof LocalDateTime moment) {
            return moment.toInstant(ZoneOffset.UTC);
        }
        return value;
    }

    public static void bind(PreparedStatement statement, List<@Nullable Object> bound) throws SQLException {
        for (int i = 0; i < bound.size(); i++) {
            bind(statement, i + 1, bound.get(i));
        }
    }
}
