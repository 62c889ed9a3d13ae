package io.polytable.sql.expr;

import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Bytes;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The functions that are evaluated without DuckDB. They return NULL for NULL, except COALESCE and the like. */
final class Functions {
    /** Java has no single-character capital for it; DuckDB has. */
    private static final int SHARP_S = 0xDF;

    private static final int CAPITAL_SHARP_S = 0x1E9E;

    private Functions() {}

    static Optional<Compiled> find(String name, List<Compiled> arguments, int position) {
        Compiled found = switch (arguments.size()) {
            case 0 -> nullary(name);
            case 1 -> unary(name, arguments.get(0), position);
            default -> several(name, arguments, position);
        };
        return Optional.ofNullable(found);
    }

    private static @Nullable Compiled nullary(String name) {
        return switch (name) {
            case "now", "current_timestamp", "localtimestamp", "transaction_timestamp" ->
                constant(SqlType.TIMESTAMP, given -> given.now().truncatedTo(ChronoUnit.MICROS));
            case "statement_timestamp" ->
                constant(SqlType.TIMESTAMP, given -> given.statement().truncatedTo(ChronoUnit.MICROS));
            case "current_date" -> constant(SqlType.DATE, given -> now(given).toLocalDate());
            case "current_time" -> constant(SqlType.TIME, given -> now(given).toLocalTime());
            case "current_user", "user", "session_user" -> constant(SqlType.TEXT, Environment::user);
            // Each call returns a new id, so these are not constants of a statement.
            case "snowflake_id" -> each(SqlType.BIGINT, given -> given.ids().snowflake());
            case "uuid_v7", "uuidv7" -> each(SqlType.UUID, given -> given.ids().uuidV7());
            case "ulid" -> each(SqlType.TEXT, given -> given.ids().ulid());
            case "gen_random_uuid", "uuid" -> each(SqlType.UUID, given -> UUID.randomUUID());
            default -> null;
        };
    }

    private static OffsetDateTime now(Environment given) {
        return given.now().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    private static Compiled constant(SqlType type, Function<Environment, Object> value) {
        return new Compiled(type, (row, given) -> value.apply(given), true);
    }

    private static Compiled each(SqlType type, Function<Environment, Object> value) {
        return new Compiled(type, (row, given) -> value.apply(given), false);
    }

    private static @Nullable Compiled unary(String name, Compiled argument, int position) {
        return switch (name) {
            case "lower" -> text(argument, Functions::lower);
            case "upper" -> text(argument, Functions::upper);
            case "trim", "btrim" -> text(argument, text -> stripped(text, true, true));
            case "ltrim" -> text(argument, text -> stripped(text, true, false));
            case "rtrim" -> text(argument, text -> stripped(text, false, true));
            case "length", "char_length", "character_length" -> length(argument, position);
            case "abs" -> absolute(argument, position);
            case "coalesce" -> argument;
            default -> null;
        };
    }

    /** Maps each code point: a letter without a single-character capital stays, where Java would write two. */
    private static String upper(String text) {
        return text.codePoints()
                .map(letter -> letter == SHARP_S ? CAPITAL_SHARP_S : Character.toUpperCase(letter))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Maps each code point, so that a sigma does not depend on its place in a word, and the length stays. */
    static String lower(String text) {
        return text.codePoints()
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private interface TextChange {
        String of(String text);
    }

    private static @Nullable Compiled text(Compiled argument, TextChange change) {
        if (!isText(argument)) {
            return null;
        }
        return new Compiled(
                SqlType.TEXT,
                (row, given) -> {
                    Object value = argument.value(row, given);
                    return value == null ? null : change.of(value.toString());
                },
                argument.constant());
    }

    private static boolean isText(Compiled argument) {
        return argument.type().is(SqlType.Kind.TEXT) || argument.type().is(SqlType.Kind.UNKNOWN);
    }

    /** Strips spaces only, as PostgreSQL does. */
    private static String stripped(String text, boolean front, boolean back) {
        int start = 0;
        int end = text.length();
        while (front && start < end && text.charAt(start) == ' ') {
            start++;
        }
        while (back && end > start && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(start, end);
    }

    /** The type of a parameter is known only with its value. */
    private static @Nullable Compiled length(Compiled argument, int position) {
        if (!isText(argument)) {
            return null;
        }
        return new Compiled(
                SqlType.INT,
                (row, given) -> {
                    Object value = argument.value(row, given);
                    return value == null ? null : length(value, position);
                },
                argument.constant());
    }

    private static int length(Object value, int position) {
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        if (value instanceof Bytes bytes) {
            return bytes.length();
        }
        throw new SqlError(
                SqlCode.UNDEFINED_FUNCTION,
                "function length(" + value.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ") does not exist",
                position);
    }

    private static @Nullable Compiled absolute(Compiled argument, int position) {
        if (!argument.type().isNumber()) {
            return null;
        }
        SqlType type = argument.type();
        return new Compiled(
                type,
                (row, given) -> {
                    Object value = argument.value(row, given);
                    return value == null ? null : absolute(value, type, position);
                },
                argument.constant());
    }

    private static Object absolute(Object value, SqlType type, int position) {
        if (value instanceof BigDecimal decimal) {
            return decimal.abs();
        }
        if (value instanceof Double number) {
            return Math.abs(number);
        }
        if (value instanceof Float number) {
            return Math.abs(number);
        }
        long number = ((Number) value).longValue();
        boolean least = number == Long.MIN_VALUE
                || (value instanceof Integer && number == Integer.MIN_VALUE)
                || (type.is(SqlType.Kind.SMALLINT) && number == Short.MIN_VALUE);
        if (least) {
            throw new SqlError(SqlCode.OUT_OF_RANGE, type + " out of range", position);
        }
        return value instanceof Integer ? (Object) (int) Math.abs(number) : (Object) Math.abs(number);
    }

    private static @Nullable Compiled several(String name, List<Compiled> arguments, int position) {
        return switch (name) {
            case "coalesce" -> coalesce(arguments, position);
            case "nullif" -> arguments.size() == 2 ? nullIf(arguments.get(0), arguments.get(1), position) : null;
            case "greatest" -> extreme(arguments, 1, position);
            case "least" -> extreme(arguments, -1, position);
            default -> null;
        };
    }

    private static SqlType common(List<Compiled> arguments, int position) {
        SqlType type = SqlType.UNKNOWN;
        for (Compiled argument : arguments) {
            type = Promotions.choice(type, argument.type(), position);
        }
        return type.is(SqlType.Kind.UNKNOWN) ? SqlType.TEXT : type;
    }

    private static Compiled coalesce(List<Compiled> arguments, int position) {
        SqlType type = common(arguments, position);
        List<Compiled> typed =
                arguments.stream().map(argument -> argument.as(type)).toList();
        return new Compiled(
                type,
                (row, given) -> {
                    for (Compiled argument : typed) {
                        Object value = argument.value(row, given);
                        if (value != null) {
                            return value;
                        }
                    }
                    return null;
                },
                typed.stream().allMatch(Compiled::constant));
    }

    private static Compiled nullIf(Compiled first, Compiled second, int position) {
        SqlType type = common(List.of(first, second), position);
        Compiled right = second.as(type);
        SqlType own = first.type().is(SqlType.Kind.UNKNOWN) ? type : first.type();
        return new Compiled(
                own,
                (row, given) -> {
                    // Computed once: twice at every level would make nested calls exponential.
                    Object value = first.value(row, given);
                    Object a = converted(value, first.type(), type);
                    Object b = right.value(row, given);
                    boolean equal = a != null && b != null && Promotions.compare(a, b) == 0;
                    return equal ? null : converted(value, first.type(), own);
                },
                first.constant() && second.constant());
    }

    private static @Nullable Object converted(@Nullable Object value, SqlType from, SqlType to) {
        return from.equals(to) ? value : Casts.to(to, value);
    }

    private static Compiled extreme(List<Compiled> arguments, int sign, int position) {
        SqlType type = common(arguments, position);
        List<Compiled> typed =
                arguments.stream().map(argument -> argument.as(type)).toList();
        return new Compiled(
                type,
                (row, given) -> {
                    Object best = null;
                    for (Compiled argument : typed) {
                        Object value = argument.value(row, given);
                        if (value != null && (best == null || sign * Promotions.compare(value, best) > 0)) {
                            best = value;
                        }
                    }
                    return best;
                },
                typed.stream().allMatch(Compiled::constant));
    }
}
