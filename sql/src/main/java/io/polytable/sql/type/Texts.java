package io.polytable.sql.type;

import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** The text form of values, as PostgreSQL writes it. */
public final class Texts {
    private static final String HEX_MARK = "\\x";

    private static final DateTimeFormatter CLOCK = new DateTimeFormatterBuilder()
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
            .toFormatter();

    /** Without an era; unlike ISO 8601, PostgreSQL writes years above 9999 without a plus. */
    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 10, SignStyle.NORMAL)
            .appendPattern("-MM-dd")
            .toFormatter();

    private static final DateTimeFormatter MOMENT = new DateTimeFormatterBuilder()
            .append(DATE)
            .appendLiteral(' ')
            .append(CLOCK)
            .appendLiteral("+00")
            .toFormatter();

    private static final String INFINITY = "infinity";

    /** DuckDB's infinities are both ends of what it stores. */
    private static final Instant LAST_MOMENT = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);

    private static final Instant FIRST_MOMENT = Instant.EPOCH.plus(-Long.MAX_VALUE, ChronoUnit.MICROS);

    private Texts() {}

    public static String of(Object value) {
        if (value instanceof Bytes bytes) {
            return bytes(bytes);
        }
        if (value instanceof Instant moment) {
            return moment(moment);
        }
        if (value instanceof OffsetDateTime moment) {
            return moment(moment.toInstant());
        }
        if (value instanceof LocalDate date) {
            return date(date);
        }
        if (value instanceof LocalTime time) {
            return CLOCK.format(time);
        }
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Double || value instanceof Float) {
            return floating((Number) value);
        }
        return value.toString();
    }

    private static String moment(Instant moment) {
        OffsetDateTime utc = moment.atOffset(ZoneOffset.UTC);
        String text = MOMENT.format(utc) + era(utc.getYear());
        return moment.equals(LAST_MOMENT) ? INFINITY : moment.equals(FIRST_MOMENT) ? "-" + INFINITY : text;
    }

    private static String date(LocalDate date) {
        long day = date.toEpochDay();
        String text = DATE.format(date) + era(date.getYear());
        return day == Integer.MAX_VALUE ? INFINITY : day == -Integer.MAX_VALUE ? "-" + INFINITY : text;
    }

    /** The year 0 of ISO 8601 is 1 BC. */
    private static String era(int year) {
        return year < 1 ? DateTimeParser.BC : "";
    }

    /** The shortest digits that parse back to the same number; without an exponent while that is readable. */
    private static String floating(Number number) {
        double value = number.doubleValue();
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return number.toString();
        }
        double size = Math.abs(value);
        BigDecimal digits = number instanceof Float single ? shortest(single) : new BigDecimal(number.toString());
        if (size == 0 || (size >= 1e-4 && size < (number instanceof Float ? 1e6 : 1e15))) {
            String plain = digits.stripTrailingZeros().toPlainString();
            return value == 0 && 1 / value < 0 ? "-0" : plain;
        }
        return exponent(digits.stripTrailingZeros());
    }

    /** Java 17 sometimes writes a digit more than it takes to distinguish the number from its neighbours. */
    private static BigDecimal shortest(Float number) {
        BigDecimal digits = new BigDecimal(number.toString()).stripTrailingZeros();
        while (digits.precision() > 1) {
            BigDecimal shorter = digits.round(new MathContext(digits.precision() - 1));
            if (shorter.floatValue() != number) {
                break;
            }
            digits = shorter;
        }
        return digits;
    }

    private static String exponent(BigDecimal number) {
        String digits = number.unscaledValue().abs().toString();
        int power = digits.length() - 1 - number.scale();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String sign = number.signum() < 0 ? "-" : "";
        String padded = Math.abs(power) < 10 ? "0" + Math.abs(power) : Integer.toString(Math.abs(power));
        return sign + digits.charAt(0) + fraction + "e" + (power < 0 ? "-" : "+") + padded;
    }

    /**
     * Bytes that are readable text as that text, all others as {@code \x} and hexadecimal digits. {@link #toBytes}
     * reverses it: text that itself begins with {@code \x} is written in hexadecimal too.
     */
    public static String bytes(Bytes bytes) {
        String text = readable(bytes);
        return text.isEmpty() && !bytes.isEmpty() ? HEX_MARK + HexFormat.of().formatHex(bytes.toByteArray()) : text;
    }

    /** Empty if the bytes are not readable text. */
    private static String readable(Bytes bytes) {
        if (isPlain(bytes)) {
            return new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.ISO_8859_1);
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()))
                    .toString();
            boolean shown = !text.startsWith(HEX_MARK)
                    && text.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\t' && c != '\r');
            return shown ? text : "";
        } catch (CharacterCodingException binary) {
            return "";
        }
    }

    /** Printable ASCII without a backslash: most keys are, and need no decoder. */
    private static boolean isPlain(Bytes bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            byte b = bytes.at(i);
            if (b < ' ' || b == '\\') {
                return false;
            }
        }
        return true;
    }

    /** Parses hexadecimal digits after {@code \x}; otherwise the UTF-8 bytes of the text. */
    public static Bytes toBytes(String text) {
        if (!text.startsWith(HEX_MARK)) {
            return Bytes.utf8(text);
        }
        try {
            return Bytes.of(HexFormat.of().parseHex(text.substring(HEX_MARK.length())));
        } catch (IllegalArgumentException bad) {
            throw new SqlError(SqlCode.INVALID_VALUE, "invalid hexadecimal data: \"" + text + "\"");
        }
    }
}
