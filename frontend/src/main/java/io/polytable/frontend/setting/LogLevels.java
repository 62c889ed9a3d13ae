package io.polytable.frontend.setting;

import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Log levels: one for everything, and others for single packages, written as {@code warn,io.polytable.sql=debug}.
 *
 * @param byPackage the level of each package, or class, that has its own
 */
public record LogLevels(LogLevel common, Map<String, LogLevel> byPackage) {
    /** Declared for all frontends: Redis' CONFIG has it too. */
    public static final Setting<LogLevels> SETTING = Setting.setting(
                    "log.level", type(), "warn", "How much is logged, for example warn,io.polytable.sql=debug.")
            .live();

    private static final Pattern PACKAGE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

    public LogLevels {
        byPackage = Collections.unmodifiableMap(new TreeMap<>(byPackage));
    }

    /** Empty if the text is not of that form. */
    public static Optional<LogLevels> parse(String text) {
        Optional<LogLevel> common = Optional.empty();
        Map<String, LogLevel> byPackage = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            Optional<LogLevel> level = level(part.substring(equals + 1));
            String name = equals < 0 ? "" : part.substring(0, equals).strip();
            boolean valid =
                    equals < 0 ? common.isEmpty() : PACKAGE.matcher(name).matches();
            if (level.isEmpty() || !valid) {
                return Optional.empty();
            }
            if (equals < 0) {
                common = level;
            } else {
                byPackage.put(name, level.get());
            }
        }
        return Optional.of(new LogLevels(common.orElse(LogLevel.WARN), byPackage));
    }

    /** The form, as a type of settings. */
    public static ValueType<LogLevels> type() {
        String names = Arrays.stream(LogLevel.values()).map(LogLevels::lower).collect(Collectors.joining(", "));
        return new ValueType<>(
                "one of " + names + ", and PACKAGE=LEVEL for packages, separated by commas",
                LogLevels::parse,
                LogLevels::text);
    }

    private static Optional<LogLevel> level(String text) {
        return Arrays.stream(LogLevel.values())
                .filter(level -> lower(level).equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    private static String lower(LogLevel level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    /** In the notation that {@link #parse} reads. */
    public String text() {
        StringBuilder text = new StringBuilder(lower(common));
        byPackage.forEach(
                (name, level) -> text.append(',').append(name).append('=').append(lower(level)));
        return text.toString();
    }
}
