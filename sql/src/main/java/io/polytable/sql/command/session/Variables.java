package io.polytable.sql.command.session;

import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The variables of a session. Those without effect are stored and shown, because drivers set them. */
public final class Variables {
    private static final int NAME_CHARS_MAX = 100;
    private static final int VARIABLES_MAX = 100;

    private static final Map<String, String> SHOWN = Map.ofEntries(
            Map.entry("server_version", "16.0"),
            Map.entry("server_encoding", "UTF8"),
            Map.entry("client_encoding", "UTF8"),
            Map.entry("timezone", "UTC"),
            Map.entry("datestyle", "ISO, MDY"),
            Map.entry("transaction_isolation", "repeatable read"),
            Map.entry("standard_conforming_strings", "on"),
            Map.entry("integer_datetimes", "on"),
            Map.entry("extra_float_digits", "1"),
            Map.entry("application_name", ""),
            Map.entry("statement_timeout", "0"));

    private Variables() {}

    public static void set(Session session, String name, String value) {
        String key = name.toLowerCase(Locale.ROOT);
        String plain = value.strip();
        switch (key) {
            case "search_path" -> session.use(firstName(plain));
            case "timezone" -> requireUtc(plain);
            default -> {
                if (key.equals("statement_timeout")) {
                    duration(plain, Duration.ZERO);
                }
                boolean fits = session.variables().containsKey(key)
                        || session.variables().size() < VARIABLES_MAX;
                if (key.length() > NAME_CHARS_MAX || !fits) {
                    throw new SqlError(SqlCode.LIMIT_EXCEEDED, "too many variables");
                }
                session.variables().put(key, plain);
            }
        }
    }

    /** Resets one variable, or all, to the default. */
    public static void reset(Session session, Optional<String> name) {
        if (name.isEmpty()) {
            session.variables().clear();
        } else if (name.get().equalsIgnoreCase("search_path")) {
            session.use(Catalog.DEFAULT);
        } else {
            session.variables().remove(name.get().toLowerCase(Locale.ROOT));
        }
    }

    private static String firstName(String path) {
        String first = path.split(",", -1)[0].strip();
        return first.startsWith("\"") ? first.replace("\"", "") : first.toLowerCase(Locale.ROOT);
    }

    private static void requireUtc(String zone) {
        String plain = zone.replace("'", "").toUpperCase(Locale.ROOT);
        if (!plain.equals("UTC") && !plain.equals("GMT") && !plain.equals("Z") && !plain.equals("ETC/UTC")) {
            throw new SqlError(SqlCode.UNSUPPORTED, "times are shown in UTC; time zone " + zone + " is not available");
        }
    }

    public static String show(Session session, String name) {
        String key = name.toLowerCase(Locale.ROOT);
        if (key.equals("search_path")) {
            return session.namespace();
        }
        String set = session.variables().get(key);
        String value = set == null ? SHOWN.get(key) : set;
        if (value == null) {
            throw new SqlError(SqlCode.UNDEFINED_OBJECT, "unrecognized configuration parameter \"" + name + "\"");
        }
        return value;
    }

    /** A number of milliseconds, or a number with a unit; zero means the default. */
    static Duration duration(String text, Duration otherwise) {
        String plain = text.replace("'", "").strip().toLowerCase(Locale.ROOT);
        if (!plain.matches("\\d{1,9}\\s*(ms|s|min|h)?")) {
            throw new SqlError(SqlCode.INVALID_VALUE, "invalid value for a time: \"" + text + "\"");
        }
        long number = Long.parseLong(plain.replaceAll("\\D", ""));
        if (number == 0) {
            return otherwise;
        }
        if (plain.endsWith("ms") || Character.isDigit(plain.charAt(plain.length() - 1))) {
            return Duration.ofMillis(number);
        }
        if (plain.endsWith("min")) {
            return Duration.ofMinutes(number);
        }
        return plain.endsWith("h") ? Duration.ofHours(number) : Duration.ofSeconds(number);
    }
}
