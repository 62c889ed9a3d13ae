package io.polytable.sql.type;

import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts values between types as an assignment does: exactly, or with an error that names the value. */
public final class Casts {
    private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    /** What a row stores: microseconds since 1970 in 64 bits, of which DuckDB needs both ends for its infinities. */
    private static final Instant MOMENT_MIN = Instant.EPOCH.plus(Long.MIN_VALUE + 2, ChronoUnit.MICROS);

    private static final Instant MOMENT_MAX = Instant.EPOCH.plus(Long.MAX_VALUE - 1, ChronoUnit.MICROS);

    /** Java would also take the digits of other scripts. */
    private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");

    private Casts() {}

    /** The value converted to the type; null stays null. */
    public static @Nullable Object to(SqlType type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (type.kind()) {
            case UNKNOWN -> value;
            case BOOLEAN -> bool(value, type);
            case SMALLINT -> (int) integer(value, type, Short.MIN_VALUE, Short.MAX_VALUE);
            case INT -> (int) integer(value, type, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> integer(value, type, Long.MIN_VALUE, Long.MAX_VALUE);
            case FLOAT -> single(value, type);
            case DOUBLE -> dbl(value, type);
            case DECIMAL -> decimal(value, type);
            case TEXT -> text(value, type);
            case BYTES -> value instanceof Bytes ? value : Texts.toBytes(plain(value, type));
            case JSON -> Json.checked(plain(value, type));
            case DATE -> date(value, type);
            case TIME -> time(value, type);
            case TIMESTAMP -> moment(value, type);
            case UUID -> uuid(value, type);
        };
    }

    /** Converts a value for a column. A boolean is not a number there without an explicit cast. */
    public static @Nullable Object assigned(SqlType type, @Nullable Object value) {
        if (value instanceof Boolean && type.isNumber()) {
            throw new SqlError(SqlCode.TYPE_MISMATCH, "a value of type " + type + " is expected, not a boolean");
        }
        return to(type, value);
    }

    /** Converts as an explicit cast does: text that is too long is cut. */
    public static @Nullable Object explicit(SqlType type, @Nullable Object value) {
        if (value == null || !type.is(SqlType.Kind.TEXT) || type.precision() == 0) {
            return to(type, value);
        }
        String text = value instanceof String string ? string : Texts.of(value);
        int length = text.codePointCount(0, text.length());
        return length <= type.precision() ? text : text.substring(0, text.offsetByCodePoints(0, type.precision()));
    }

    private static Boolean bool(Object value, SqlType type) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue() != 0;
        }
        // Each word may be shortened while it differs from the others.
        return switch (plain(value, type).strip().toLowerCase(Locale.ROOT)) {
            case "t", "tr", "tru", "true", "y", "ye", "yes", "on", "1" -> true;
            case "f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0" -> false;
            default -> throw invalid(type, value);
        };
    }

    private static long integer(Object value, SqlType type, long least, long most) {
        long number;
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            number = ((Number) value).longValue();
        } else if (value instanceof Boolean bool) {
            number = bool ? 1 : 0;
        } else {
            number = whole(value, type);
        }
        if (number < least || number > most) {
            throw outOfRange(type, value);
        }
        return number;
    }

    /** Rounds fractions as PostgreSQL does: decimals half away from zero, floats half to even. */
    private static long whole(Object value, SqlType type) {
        BigDecimal number;
        if (value instanceof Double || value instanceof Float) {
            double floating = ((Number) value).doubleValue();
            if (Double.isNaN(floating) || Double.isInfinite(floating)) {
                throw outOfRange(type, value);
            }
            number = new BigDecimal(Math.rint(floating));
        } else if (value instanceof BigDecimal decimal) {
            number = decimal.setScale(0, RoundingMode.HALF_UP);
        } else if (value instanceof BigInteger big) {
            number = new BigDecimal(big);
        } else {
            return parsedLong(plain(value, type).strip(), type);
        }
        if (number.compareTo(LONG_MIN) < 0 || number.compareTo(LONG_MAX) > 0) {
            throw outOfRange(type, value);
        }
        return number.longValueExact();
    }

    private static long parsedLong(String text, SqlType type) {
        // Java would also take the digits of other scripts.
        if (!text.matches("[+-]?[0-9]+")) {
            throw invalid(type, text);
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException beyond) {
            throw outOfRange(type, text);
        }
    }

    private static Object single(Object value, SqlType type) {
        double wide = dbl(value, type);
        float narrow = (float) wide;
        if (Float.isInfinite(narrow) && !Double.isInfinite(wide)) {
            throw outOfRange(type, value);
        }
        return narrow;
    }

    private static double dbl(Object value, SqlType type) {
        if (value instanceof Float single) {
            return single;
        }
        if (value instanceof Number number) {
            double wide = number.doubleValue();
            if (Double.isInfinite(wide) && !(value instanceof Double)) {
                throw outOfRange(type, value);
            }
            return wide;
        }
        String text = plain(value, type).strip();
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan" -> Double.NaN;
            case "inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> parsedDouble(text, type);
        };
    }

    private static double parsedDouble(String text, SqlType type) {
        // Java would also accept a type suffix and hexadecimal floats.
        if (!text.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
            throw invalid(type, text);
        }
        double parsed = Double.parseDouble(text);
        if (Double.isInfinite(parsed)) {
            throw outOfRange(type, text);
        }
        return parsed;
    }

    private static BigDecimal decimal(Object value, SqlType type) {
        BigDecimal number;
        try {
            number = asDecimal(value, type);
        } catch (NumberFormatException bad) {
            throw invalid(type, value);
        }
        if (type.precision() == 0) {
            return number;
        }
        BigDecimal scaled = number.setScale(type.scale(), RoundingMode.HALF_UP);
        if (scaled.precision() - scaled.scale() > type.precision() - type.scale() && scaled.signum() != 0) {
            throw outOfRange(type, value);
        }
        return scaled;
    }

    private static BigDecimal asDecimal(Object value, SqlType type) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof Long || value instanceof Integer || value instanceof Short) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        if (value instanceof BigInteger big) {
            return new BigDecimal(big);
        }
        String text =
                value instanceof Number ? value.toString() : plain(value, type).strip();
        // An exponent of a billion would make a number of a billion digits.
        if (text.length() > 1000 || text.matches(".*[eE][+-]?\\d{4,}")) {
            throw outOfRange(type, text.length() > 40 ? text.substring(0, 40) + "..." : text);
        }
        if (!DECIMAL.matcher(text).matches()) {
            throw invalid(type, text);
        }
        return new BigDecimal(text);
    }

    private static String text(Object value, SqlType type) {
        String text = value instanceof String string ? string : Texts.of(value);
        if (type.precision() > 0 && text.codePointCount(0, text.length()) > type.precision()) {
            // Trailing spaces that do not fit are dropped; cutting anything else would lose data.
            String kept = text.substring(0, text.offsetByCodePoints(0, type.precision()));
            if (text.chars().skip(kept.length()).allMatch(c -> c == ' ')) {
                return kept;
            }
            throw new SqlError(SqlCode.TOO_LONG, "value too long for type character varying(" + type.precision() + ")");
        }
        return text;
    }

    private static LocalDate date(Object value, SqlType type) {
        if (value instanceof LocalDate date) {
            return DateTimeParser.inRange(date, type);
        }
        if (value instanceof Instant moment) {
            return moment.atOffset(ZoneOffset.UTC).toLocalDate();
        }
        return DateTimeParser.date(plain(value, type), type);
    }

    private static LocalTime time(Object value, SqlType type) {
        if (value instanceof LocalTime time) {
            return time.truncatedTo(ChronoUnit.MICROS);
        }
        if (value instanceof Instant moment) {
            return moment.atOffset(ZoneOffset.UTC).toLocalTime();
        }
        return DateTimeParser.time(plain(value, type), type);
    }

    private static Instant moment(Object value, SqlType type) {
        Instant moment = anyMoment(value, type);
        if (moment.isBefore(MOMENT_MIN) || moment.isAfter(MOMENT_MAX)) {
            throw outOfRange(type, value);
        }
        return moment;
    }

    private static Instant anyMoment(Object value, SqlType type) {
        if (value instanceof Instant moment) {
            return moment;
        }
        if (value instanceof OffsetDateTime moment) {
            return moment.toInstant();
        }
        if (value instanceof LocalDateTime moment) {
            return moment.toInstant(ZoneOffset.UTC);
        }
        if (value instanceof LocalDate date) {
            return date.atStartOfDay().toInstant(ZoneOffset.UTC);
        }
        return DateTimeParser.timestamp(plain(value, type), type);
    }

    private static UUID uuid(Object value, SqlType type) {
        if (value instanceof UUID uuid) {
            return uuid;
        }
        String text = plain(value, type).strip();
        if (text.startsWith("{") && text.endsWith("}")) {
            text = text.substring(1, text.length() - 1);
        }
        if (!text.matches("[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")) {
            throw invalid(type, value);
        }
        String digits = text.replace("-", "");
        return new UUID(
                Long.parseUnsignedLong(digits.substring(0, 16), 16), Long.parseUnsignedLong(digits.substring(16), 16));
    }

    /** The text to parse; values other than text and bytes are converted only to JSON. */
    private static String plain(Object value, SqlType type) {
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof Bytes bytes && !type.is(SqlType.Kind.BYTES)) {
            return Texts.bytes(bytes);
        }
        if (type.is(SqlType.Kind.JSON)) {
            return Texts.of(value);
        }
        throw new SqlError(SqlCode.TYPE_MISMATCH, "a value of type " + nameOf(value) + " cannot be cast to " + type);
    }

    static String nameOf(Object value) {
        return value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    static SqlError invalid(SqlType type, Object value) {
        return new SqlError(
                isOfTime(type) ? SqlCode.INVALID_DATETIME : SqlCode.INVALID_VALUE,
                "invalid input syntax for type " + type + ": \"" + shortened(value) + "\"");
    }

    static SqlError outOfRange(SqlType type, Object value) {
        return new SqlError(
                isOfTime(type) ? SqlCode.DATETIME_OVERFLOW : SqlCode.OUT_OF_RANGE,
                "value \"" + shortened(value) + "\" is out of range for type " + type);
    }

    private static boolean isOfTime(SqlType type) {
        return type.is(SqlType.Kind.DATE) || type.is(SqlType.Kind.TIME) || type.is(SqlType.Kind.TIMESTAMP);
    }

    private static String shortened(Object value) {
        String text = value instanceof String string ? string : Texts.of(value);
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }
}
