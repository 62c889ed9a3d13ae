package io.polytable.frontend.setting;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations with units; a plain number is seconds, as in Redis. */
final class TimeSpan {
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,9})\\s*(|ms|s|m|min|h|d)", Pattern.CASE_INSENSITIVE);
    private static final Map<String, Duration> UNITS = Map.of(
            "", Duration.ofSeconds(1),
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "min", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    /** Longer ones overflow where they are counted in nanoseconds. */
    private static final Duration MAX = Duration.ofDays(36_500);

    private TimeSpan() {}

    static Optional<Duration> parse(String text) {
        Matcher matcher = SPAN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long count = Long.parseLong(matcher.group(1));
        return Optional.ofNullable(UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)))
                .map(unit -> unit.multipliedBy(count))
                .filter(span -> span.compareTo(MAX) <= 0);
    }

    /** The longest unit that needs no fraction. */
    static String show(Duration span) {
        if (span.toMillis() % 1000 != 0) {
            return span.toMillis() + "ms";
        }
        long seconds = span.toSeconds();
        if (seconds == 0) {
            return "0";
        }
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
