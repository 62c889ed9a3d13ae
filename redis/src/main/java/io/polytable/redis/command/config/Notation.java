package io.polytable.redis.command.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.frontend.setting.LogLevel;
import io.polytable.frontend.setting.LogLevels;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.number.Numbers;
import io.polytable.table.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How CONFIG writes the values of a parameter, with Redis' errors; the settings file has a notation of its own.
 *
 * @param parser returns the value of a text, given the one before
 * @param writer returns the text that CONFIG GET shows
 */
record Notation<T>(BiFunction<String, T, T> parser, Function<T, String> writer) {
    private static final int PERCENT_MAX = 100;

    private static <T> Notation<T> of(Function<String, T> parser, Function<T, String> writer) {
        return new Notation<>((text, before) -> parser.apply(text), writer);
    }

    /** @throws RedisError with the reason if the text is no value */
    T parse(String text, T before) {
        return parser.apply(text, before);
    }

    String show(T value) {
        return writer.apply(value);
    }

    static Notation<Long> whole(long min, long max) {
        return of(text -> within(integer(text), min, max), number -> Long.toString(number));
    }

    /** A number of seconds. */
    static Notation<Duration> seconds(long min, long max) {
        Notation<Long> number = whole(min, max);
        return of(text -> Duration.ofSeconds(number.parse(text, 0L)), span -> Long.toString(span.toSeconds()));
    }

    /** A number of bytes, also spelled as 100mb; one above the limit is shown as that. */
    static Notation<Long> memory(long min, long max, long shownMax) {
        return of(text -> within(MemorySize.parse(text), min, max), bytes -> Long.toString(Math.min(bytes, shownMax)));
    }

    static Notation<Long> memory(long min, long max) {
        return memory(min, max, Long.MAX_VALUE);
    }

    /** A number of bytes, or a percentage, whose number is negative. */
    static Notation<Long> memoryOrPercent() {
        return of(Notation::memoryOrPercent, number -> number < 0 ? -number + "%" : Long.toString(number));
    }

    static Notation<Boolean> yesNo() {
        return of(Notation::yesOrNo, yes -> yes ? "yes" : "no");
    }

    static Notation<String> choice(List<String> names) {
        return of(text -> choice(names, text.toLowerCase(Locale.ROOT)), name -> name);
    }

    /** The level of everything; it replaces those of single packages. */
    static Notation<LogLevels> logLevel() {
        Notation<String> names = choice(List.of("debug", "verbose", "notice", "warning", "nothing"));
        return of(
                text -> new LogLevels(logLevel(names.parse(text, "")), Map.of()), levels -> logLevel(levels.common()));
    }

    private static LogLevel logLevel(String name) {
        return switch (name) {
            case "debug" -> LogLevel.TRACE;
            case "verbose" -> LogLevel.DEBUG;
            case "notice" -> LogLevel.INFO;
            case "warning" -> LogLevel.WARN;
            default -> LogLevel.OFF;
        };
    }

    private static String logLevel(LogLevel level) {
        return switch (level) {
            case OFF -> "nothing";
            case ERROR, WARN -> "warning";
            case INFO -> "notice";
            case DEBUG -> "verbose";
            case TRACE -> "debug";
        };
    }

    static Notation<String> text() {
        return of(text -> text, text -> text);
    }

    /** The name of a file, without a path. */
    static Notation<String> fileName(String parameter) {
        return of(
                text -> {
                    if (text.isEmpty() || text.indexOf('/') >= 0 || text.indexOf('\0') >= 0) {
                        throw new RedisError(parameter + " can't be a path, just a filename");
                    }
                    return text;
                },
                text -> text);
    }

    /** Bytes, one per character. */
    static Notation<Bytes> bytes() {
        return of(text -> Bytes.of(text.getBytes(ISO_8859_1)), value -> new String(value.toByteArray(), ISO_8859_1));
    }

    /** Letters for classes of keyspace events. */
    static Notation<EventClasses> keyEvents() {
        return of(EventClasses::parse, EventClasses::text);
    }

    static Notation<OutputLimits> outputLimits() {
        return new Notation<>((text, before) -> before.merge(text), OutputLimits::text);
    }

    static Notation<SavePoints> savePoints() {
        return of(SavePoints::parse, SavePoints::text);
    }

    static Notation<List<Double>> percentiles() {
        return of(Percentiles::parse, Percentiles::text);
    }

    private static long integer(String text) {
        return Numbers.parseLong(Bytes.utf8(text))
                .orElseThrow(() -> new RedisError("argument couldn't be parsed into an integer"));
    }

    private static long within(long number, long min, long max) {
        if (number < min || number > max) {
            throw new RedisError("argument must be between " + min + " and " + max + " inclusive");
        }
        return number;
    }

    private static long memoryOrPercent(String text) {
        RedisError invalid = new RedisError("argument must be a memory or percent value");
        if (!text.endsWith("%")) {
            return MemorySize.parse(text, invalid);
        }
        Bytes digits = Bytes.utf8(text.substring(0, text.length() - 1));
        long percent = Numbers.parseLong(digits).orElse(-1);
        if (percent < 0) {
            throw invalid;
        }
        if (percent > PERCENT_MAX) {
            throw new RedisError("percentage argument must be less or equal to " + PERCENT_MAX);
        }
        return -percent;
    }

    private static boolean yesOrNo(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (!lower.equals("yes") && !lower.equals("no")) {
            throw new RedisError("argument must be 'yes' or 'no'");
        }
        return lower.equals("yes");
    }

    private static String choice(List<String> names, String text) {
        if (!names.contains(text)) {
            throw new RedisError("argument(s) must be one of the following: " + String.join(", ", names));
        }
        return text;
    }
}
