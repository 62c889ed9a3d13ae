package io.polytable.sql.command.session;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.setting.Given;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingException;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The variables of a session. Those that drivers and dumps set without an effect here are accepted with the values that
 * describe what happens anyway. The names of settings of the
 * server read and change those. Any other name with a dot is the client's own, and one without is an error.
 */
public final class Variables {
    static final String ISOLATION = "default_transaction_isolation";
    static final String READ_ONLY = "default_transaction_read_only";
    private static final String ROW_SECURITY = "row_security";
    static final String SEARCH_PATH = "search_path";
    private static final String TIMEOUT = "statement_timeout";
    private static final int NAME_CHARS_MAX = 100;
    private static final int VARIABLES_MAX = 100;

    private static final Set<String> ON = Set.of("on", "true", "yes", "1");
    private static final Set<String> OFF = Set.of("off", "false", "no", "0");
    private static final Set<String> SWITCH = Set.of("on", "true", "yes", "1", "off", "false", "no", "0");
    private static final Set<String> NO_LIMIT = Set.of("0", "0ms", "0s", "0min");
    private static final Set<String> ANY = Set.of();

    /** The values that a variable accepts, in lower case; none means any. */
    private static final Map<String, Set<String>> ACCEPTED = Map.ofEntries(
            Map.entry("application_name", ANY),
            Map.entry("client_encoding", Set.of("utf8", "utf-8", "unicode")),
            Map.entry("client_min_messages", ANY),
            Map.entry("check_function_bodies", SWITCH),
            Map.entry("datestyle", Set.of("iso", "iso, mdy", "iso,mdy", "iso, ymd", "iso, dmy")),
            Map.entry(ISOLATION, Set.of("read uncommitted", "read committed", "repeatable read", "serializable")),
            Map.entry(READ_ONLY, SWITCH),
            Map.entry("default_table_access_method", Set.of("heap")),
            Map.entry("default_tablespace", Set.of("")),
            Map.entry("extra_float_digits", Set.of("0", "1", "2", "3")),
            Map.entry("idle_in_transaction_session_timeout", NO_LIMIT),
            Map.entry("intervalstyle", Set.of("postgres")),
            Map.entry("lock_timeout", NO_LIMIT),
            Map.entry(ROW_SECURITY, SWITCH),
            Map.entry("standard_conforming_strings", ON),
            Map.entry(TIMEOUT, ANY),
            Map.entry("synchronous_commit", ON),
            Map.entry("xmloption", ANY));

    private static final Map<String, String> SHOWN = Map.ofEntries(
            Map.entry("application_name", ""),
            Map.entry("check_function_bodies", "on"),
            Map.entry("client_encoding", "UTF8"),
            Map.entry("client_min_messages", "notice"),
            Map.entry("datestyle", "ISO, MDY"),
            Map.entry("default_table_access_method", "heap"),
            Map.entry("default_tablespace", ""),
            Map.entry(ISOLATION, "repeatable read"),
            Map.entry(READ_ONLY, "off"),
            Map.entry("extra_float_digits", "1"),
            Map.entry("idle_in_transaction_session_timeout", "0"),
            Map.entry("integer_datetimes", "on"),
            Map.entry("intervalstyle", "postgres"),
            Map.entry("lock_timeout", "0"),
            Map.entry(ROW_SECURITY, "on"),
            Map.entry("server_encoding", "UTF8"),
            Map.entry("server_version", "16.0"),
            Map.entry("standard_conforming_strings", "on"),
            Map.entry(TIMEOUT, "0"),
            Map.entry("synchronous_commit", "on"),
            Map.entry("timezone", "UTC"),
            Map.entry("xmloption", "content"));

    private Variables() {}

    /**
     * Sets a variable.
     *
     * @param local whether the value holds until the end of the transaction only
     */
    public static void set(Session session, String name, String value, boolean local) {
        String key = name.toLowerCase(Locale.ROOT);
        String plain = value.strip();
        Optional<Setting<?>> setting = setting(session, key);
        if (setting.isPresent()) {
            change(session, setting.get(), plain, local);
            return;
        }
        switch (key) {
            case SEARCH_PATH -> session.use(firstName(plain));
            case "timezone" -> requireUtc(plain);
            case "transaction_isolation" ->
                session.transaction().use(new Statement.Modes(Optional.of(isolation(plain)), Optional.empty()));
            case "transaction_read_only" -> {
                requireAccepted(key, plain, SWITCH);
                session.transaction().use(new Statement.Modes(Optional.empty(), Optional.of(isOn(plain))));
            }
            default -> put(session, key, plain);
        }
        if (local) {
            session.transaction().local(key);
        }
    }

    private static Optional<Setting<?>> setting(Session session, String key) {
        return session.serverSettings().catalog().byName(key);
    }

    /** Changes a setting of the server, at once and for every protocol: no transaction can undo that. */
    private static void change(Session session, Setting<?> setting, String text, boolean local) {
        // Who sets the server's own password becomes its root.
        Role needed = setting.isSecret() ? Role.SYSTEM : Role.DBA;
        session.require(needed, "permission denied to set parameter \"" + setting.name() + "\"");
        if (local || session.isInTransaction()) {
            throw new SqlError(
                    SqlCode.ACTIVE_TRANSACTION,
                    "\"" + setting.name() + "\" is a setting of the server: it cannot be set inside a transaction");
        }
        if (!setting.isLive()) {
            throw new SqlError(SqlCode.UNSUPPORTED, "parameter \"" + setting.name() + "\" cannot be changed now");
        }
        try {
            session.serverSettings().change(Map.of(setting, text), "SET");
        } catch (SettingException invalid) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, String.valueOf(invalid.getMessage()));
        }
    }

    /** The text of a setting of the server, as SHOW and {@code system.settings} have it. */
    public static String shown(Given given) {
        return given.setting().isSecret() ? "***" : given.text();
    }

    private static void put(Session session, String key, String plain) {
        if (key.indexOf('.') < 0) {
            requireAccepted(key, plain, accepted(key));
        }
        if (key.equals(TIMEOUT)) {
            duration(plain, Duration.ZERO);
        }
        boolean fits =
                session.variables().containsKey(key) || session.variables().size() < VARIABLES_MAX;
        if (key.length() > NAME_CHARS_MAX || !fits) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "too many variables");
        }
        session.variables().put(key, plain);
    }

    private static Set<String> accepted(String key) {
        Set<String> accepted = ACCEPTED.get(key);
        if (accepted != null) {
            return accepted;
        }
        throw SHOWN.containsKey(key)
                ? new SqlError(SqlCode.UNSUPPORTED, "parameter \"" + key + "\" cannot be changed")
                : unrecognized(key);
    }

    private static void requireAccepted(String key, String value, Set<String> accepted) {
        if (!accepted.isEmpty() && !accepted.contains(unquoted(value))) {
            throw new SqlError(
                    SqlCode.INVALID_PARAMETER, "invalid value for parameter \"" + key + "\": \"" + value + "\"");
        }
    }

    private static String unquoted(String value) {
        return value.replace("'", "").strip().toLowerCase(Locale.ROOT);
    }

    private static SqlError unrecognized(String name) {
        return new SqlError(SqlCode.UNDEFINED_OBJECT, "unrecognized configuration parameter \"" + name + "\"");
    }

    private static Statement.Isolation isolation(String value) {
        requireAccepted("transaction_isolation", value, accepted(ISOLATION));
        return Statement.Isolation.valueOf(
                unquoted(value).toUpperCase(Locale.ROOT).replace(' ', '_'));
    }

    private static boolean isOn(String value) {
        return !OFF.contains(unquoted(value));
    }

    /** Sets the modes of the session's transactions to come. */
    public static void use(Session session, Statement.Modes modes) {
        modes.isolation().ifPresent(level -> put(session, ISOLATION, level.text()));
        modes.readOnly().ifPresent(readOnly -> put(session, READ_ONLY, readOnly ? "on" : "off"));
    }

    static boolean isSerializable(Session session) {
        String set = session.variables().get(ISOLATION);
        return set != null && isolation(set) == Statement.Isolation.SERIALIZABLE;
    }

    /** Whether the client prefers an error to a result without the rows that policies hide. */
    static boolean isRowSecurityOff(Session session) {
        String set = session.variables().get(ROW_SECURITY);
        return set != null && !isOn(set);
    }

    static boolean isReadOnly(Session session) {
        String set = session.variables().get(READ_ONLY);
        return set != null && isOn(set);
    }

    /** Resets one variable, or all, to the default. */
    public static void reset(Session session, Optional<String> name) {
        if (name.isEmpty()) {
            session.variables().clear();
            session.use(Catalog.DEFAULT);
            return;
        }
        String key = name.get().toLowerCase(Locale.ROOT);
        Optional<Setting<?>> setting = setting(session, key);
        if (setting.isPresent()) {
            change(session, setting.get(), setting.get().defaultText(), false);
            return;
        }
        if (key.equals(SEARCH_PATH)) {
            session.use(Catalog.DEFAULT);
        } else if (key.indexOf('.') < 0 && !SHOWN.containsKey(key)) {
            throw unrecognized(key);
        } else {
            session.variables().remove(key);
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
        Optional<Setting<?>> setting = setting(session, key);
        if (setting.isPresent()) {
            session.require(
                    Role.DBA, "permission denied to examine \"" + setting.get().name() + "\"");
            return shown(session.serverSettings().given(setting.get()));
        }
        switch (key) {
            case SEARCH_PATH -> {
                return session.namespace();
            }
            case "transaction_isolation" -> {
                return session.transaction().isSerializable() ? "serializable" : "repeatable read";
            }
            case "transaction_read_only" -> {
                return session.transaction().isReadOnly() ? "on" : "off";
            }
            default -> {
                String set = session.variables().get(key);
                String value = set == null ? SHOWN.get(key) : set;
                if (value == null) {
                    throw unrecognized(name);
                }
                return value;
            }
        }
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
