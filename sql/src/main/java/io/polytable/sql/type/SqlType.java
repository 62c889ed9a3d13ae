package io.polytable.sql.type;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A column's type. {@code precision} and {@code scale} belong to DECIMAL; for TEXT, {@code precision} is the maximum of
 * characters, zero for no limit.
 */
public record SqlType(Kind kind, int precision, int scale) {
    /** The types, each with the Java class of its values. */
    public enum Kind {
        /** The type of a bare NULL, a string literal or a parameter: the context determines it. */
        UNKNOWN,
        /** {@link Boolean}. */
        BOOLEAN,
        /** {@link Integer}, in 16 bits. */
        SMALLINT,
        /** {@link Integer}. */
        INT,
        /** {@link Long}. */
        BIGINT,
        /** {@link Float}. */
        FLOAT,
        /** {@link Double}. */
        DOUBLE,
        /** {@link java.math.BigDecimal}. */
        DECIMAL,
        /** {@link String}. */
        TEXT,
        /** {@link io.polytable.table.Bytes}. */
        BYTES,
        /** {@link String}, the JSON text as written. */
        JSON,
        /** {@link java.time.LocalDate}. */
        DATE,
        /** {@link java.time.LocalTime}, in microseconds. */
        TIME,
        /** {@link java.time.Instant}, in microseconds. */
        TIMESTAMP,
        /** {@link java.util.UUID}. */
        UUID
    }

    /** The limit of DuckDB. */
    public static final int DECIMAL_DIGITS_MAX = 38;

    public static final SqlType UNKNOWN = of(Kind.UNKNOWN);
    public static final SqlType BOOLEAN = of(Kind.BOOLEAN);
    public static final SqlType SMALLINT = of(Kind.SMALLINT);
    public static final SqlType INT = of(Kind.INT);
    public static final SqlType BIGINT = of(Kind.BIGINT);
    public static final SqlType FLOAT = of(Kind.FLOAT);
    public static final SqlType DOUBLE = of(Kind.DOUBLE);
    public static final SqlType TEXT = of(Kind.TEXT);
    public static final SqlType BYTES = of(Kind.BYTES);
    public static final SqlType JSON = of(Kind.JSON);
    public static final SqlType DATE = of(Kind.DATE);
    public static final SqlType TIME = of(Kind.TIME);
    public static final SqlType TIMESTAMP = of(Kind.TIMESTAMP);
    public static final SqlType UUID = of(Kind.UUID);

    /** DECIMAL without precision and scale. */
    public static final SqlType NUMERIC = decimal(DECIMAL_DIGITS_MAX, 10);

    private static final Map<String, SqlType> NAMES = Map.ofEntries(
            Map.entry("boolean", BOOLEAN),
            Map.entry("bool", BOOLEAN),
            Map.entry("smallint", SMALLINT),
            Map.entry("int2", SMALLINT),
            Map.entry("int", INT),
            Map.entry("integer", INT),
            Map.entry("int4", INT),
            Map.entry("bigint", BIGINT),
            Map.entry("int8", BIGINT),
            Map.entry("float", DOUBLE),
            Map.entry("real", FLOAT),
            Map.entry("float4", FLOAT),
            Map.entry("double", DOUBLE),
            Map.entry("double precision", DOUBLE),
            Map.entry("float8", DOUBLE),
            Map.entry("decimal", NUMERIC),
            Map.entry("numeric", NUMERIC),
            Map.entry("text", TEXT),
            Map.entry("string", TEXT),
            Map.entry("varchar", TEXT),
            Map.entry("character varying", TEXT),
            Map.entry("char", of(Kind.TEXT, 1, 0)),
            Map.entry("character", of(Kind.TEXT, 1, 0)),
            Map.entry("bytes", BYTES),
            Map.entry("bytea", BYTES),
            Map.entry("blob", BYTES),
            Map.entry("json", JSON),
            Map.entry("jsonb", JSON),
            Map.entry("date", DATE),
            Map.entry("time", TIME),
            Map.entry("time without time zone", TIME),
            Map.entry("timestamp", TIMESTAMP),
            Map.entry("timestamptz", TIMESTAMP),
            Map.entry("datetime", TIMESTAMP),
            Map.entry("timestamp with time zone", TIMESTAMP),
            Map.entry("timestamp without time zone", TIMESTAMP),
            Map.entry("uuid", UUID));

    public static SqlType of(Kind kind) {
        return of(kind, 0, 0);
    }

    private static SqlType of(Kind kind, int precision, int scale) {
        return new SqlType(kind, precision, scale);
    }

    public static SqlType decimal(int precision, int scale) {
        return of(Kind.DECIMAL, precision, scale);
    }

    /** The least DECIMAL that has the number; without bounds if it has more digits than a column takes. */
    public static SqlType of(BigDecimal number) {
        int scale = Math.max(0, number.scale());
        return boundedDecimal(number.precision() - number.scale(), scale);
    }

    /** A DECIMAL of so many digits before and behind the point; without bounds if a column takes fewer. */
    public static SqlType boundedDecimal(int whole, int scale) {
        int precision = Math.max(1, Math.max(0, whole) + scale);
        return precision > DECIMAL_DIGITS_MAX ? of(Kind.DECIMAL) : decimal(precision, scale);
    }

    public static SqlType text(int charsMax) {
        return of(Kind.TEXT, charsMax, 0);
    }

    /** Without length and precision: comparisons also take values that a column would reject. */
    public SqlType unbounded() {
        return of(kind);
    }

    /** The type of a name in lower case, with single spaces between words. */
    public static Optional<SqlType> named(String name) {
        return Optional.ofNullable(NAMES.get(name));
    }

    public boolean is(Kind other) {
        return kind == other;
    }

    public boolean isInteger() {
        return kind == Kind.SMALLINT || kind == Kind.INT || kind == Kind.BIGINT;
    }

    public boolean isFloating() {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    public boolean isNumber() {
        return isInteger() || isFloating() || kind == Kind.DECIMAL;
    }

    /** The name that {@code data_type} shows and statements accept. */
    public String text() {
        return switch (kind) {
            case DECIMAL -> precision == 0 ? "DECIMAL" : "DECIMAL(" + precision + "," + scale + ")";
            case TEXT -> precision == 0 ? "TEXT" : "VARCHAR(" + precision + ")";
            default -> kind.name();
        };
    }

    /** The name in DuckDB. */
    public String duckText() {
        return switch (kind) {
            case INT -> "INTEGER";
            case UNKNOWN, TEXT -> "VARCHAR";
            case BYTES -> "BLOB";
            case TIMESTAMP -> "TIMESTAMPTZ";
            default -> text();
        };
    }

    @Override
    public String toString() {
        return text().toLowerCase(Locale.ROOT);
    }
}
