package io.polytable.sql.type;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRulesException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses dates, times and timestamps. A timestamp without a zone is in UTC. */
public final class DateTimeParser {
    static final String BC = " BC";

    /** Earlier versions wrote the defaults of added columns with a plus before years above 9999. */
    private static final String YEAR = "\\+?\\d{4,7}";

    private static final Pattern DATE = Pattern.compile("(" + YEAR + ")-(\\d{1,2})-(\\d{1,2})");
    private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?");
    private static final Pattern TIMESTAMP = Pattern.compile(
            "(" + YEAR
                    + "-\\d{1,2}-\\d{1,2})(?:["
                    + " Tt]\\s*(\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?)\\s*([A-Za-z][A-Za-z_/-]{0,49}|[+-]\\d{1,2}(?::?\\d{2})?)?)?");

    private static final String REST = "((?:[ Tt].*)?)";
    private static final Pattern COMPACT = Pattern.compile("(\\d{4})(\\d{2})(\\d{2})" + REST);
    private static final Pattern YEAR_FIRST =
            Pattern.compile("(\\d{4})[-/.]([A-Za-z]{3,9}|\\d{1,2})[-/.](\\d{1,2})" + REST);
    private static final Pattern DAY_FIRST =
            Pattern.compile("(\\d{1,2})(?:-|\\s+)([A-Za-z]{3,9})(?:-|,?\\s+)(\\d{4})" + REST);
    private static final Pattern MONTH_FIRST =
            Pattern.compile("([A-Za-z]{3,9}|\\d{1,2})(?:[-/.]|\\s+)(\\d{1,2})(?:[-/.]|,?\\s+)(\\d{4})" + REST);
    private static final Pattern COMPACT_CLOCK = Pattern.compile("^[ Tt]\\s*(\\d{2})(\\d{2})(\\d{2})(?!\\d)");

    private static final Pattern DATE_FIRST = Pattern.compile("^(\\d{4,7}-\\d{1,2}-\\d{1,2})");

    /** Upper bound of a date, time and zone with spaces between them. */
    private static final int LENGTH_MAX = 100;

    /** PostgreSQL's bounds of a date; the days since 1970 fit 32 bits. */
    private static final LocalDate DATE_MIN = LocalDate.of(-4713, 11, 24);

    private static final LocalDate DATE_MAX = LocalDate.of(5874897, 12, 31);

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

    private DateTimeParser() {}

    /** The text with its date as DuckDB reads it, if it is in one of PostgreSQL's other forms. */
    public static String iso(String text) {
        String stripped = text.strip();
        if (stripped.length() > LENGTH_MAX) {
            return text;
        }
        if (isBeforeChrist(stripped)) {
            // DuckDB has the era behind the date, not behind the time.
            String date = iso(withoutEra(stripped));
            return DATE_FIRST.matcher(date).replaceFirst("$1 (BC)");
        }
        return isoInEra(stripped, text);
    }

    private static boolean isBeforeChrist(String stripped) {
        return stripped.regionMatches(true, stripped.length() - BC.length(), BC, 0, BC.length());
    }

    private static String withoutEra(String stripped) {
        return stripped.substring(0, stripped.length() - BC.length()).stripTrailing();
    }

    private static String isoInEra(String stripped, String text) {
        Matcher matcher = COMPACT.matcher(stripped);
        if (matcher.matches()) {
            return iso(matcher, 1, 2, 3, text);
        }
        matcher = YEAR_FIRST.matcher(stripped);
        if (matcher.matches()) {
            return iso(matcher, 1, 2, 3, text);
        }
        matcher = DAY_FIRST.matcher(stripped);
        if (matcher.matches()) {
            return iso(matcher, 3, 2, 1, text);
        }
        matcher = MONTH_FIRST.matcher(stripped);
        return matcher.matches() ? iso(matcher, 3, 1, 2, text) : text;
    }

    private static String iso(Matcher matcher, int year, int month, int day, String text) {
        String name = matcher.group(month);
        int number = Character.isDigit(name.charAt(0)) ? Integer.parseInt(name) : month(name);
        if (number == 0) {
            return text;
        }
        String clock = COMPACT_CLOCK.matcher(matcher.group(4)).replaceFirst(" $1:$2:$3");
        return String.format("%s-%02d-%02d%s", matcher.group(year), number, number(matcher, day), clock);
    }

    /** The month from 1; 0 for an unknown name. */
    private static int month(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        int index = MONTHS.indexOf(lower.substring(0, 3));
        boolean known = index >= 0
                && (lower.length() == 3
                        || lower.equals("sept")
                        || Month.of(index + 1).name().equalsIgnoreCase(name));
        return known ? index + 1 : 0;
    }

    private static String bounded(String text, SqlType type) {
        String stripped = text.strip();
        if (stripped.length() > LENGTH_MAX) {
            throw Casts.invalid(type, text);
        }
        return stripped;
    }

    static LocalDate date(String text, SqlType type) {
        String stripped = bounded(text, type);
        boolean era = isBeforeChrist(stripped);
        String plain = era ? withoutEra(stripped) : stripped;
        Matcher matcher = DATE.matcher(plain);
        if (!matcher.matches()) {
            matcher = DATE.matcher(isoInEra(plain, plain));
        }
        if (!matcher.matches()) {
            // The text of a timestamp contains a date too.
            return timestamp(stripped, type).atOffset(ZoneOffset.UTC).toLocalDate();
        }
        return date(matcher, era, text, type);
    }

    private static LocalDate date(Matcher matcher, boolean era, String text, SqlType type) {
        int year = number(matcher, 1);
        try {
            LocalDate date = LocalDate.of(era ? 1 - year : year, number(matcher, 2), number(matcher, 3));
            if ((era && year == 0) || date.isBefore(DATE_MIN) || date.isAfter(DATE_MAX)) {
                throw Casts.outOfRange(type, text);
            }
            return date;
        } catch (DateTimeException bad) {
            throw Casts.outOfRange(type, text);
        }
    }

    static LocalTime time(String text, SqlType type) {
        Matcher matcher = TIME.matcher(bounded(text, type));
        if (!matcher.matches()) {
            throw Casts.invalid(type, text);
        }
        try {
            String second = matcher.group(3);
            return LocalTime.of(
                    number(matcher, 1),
                    number(matcher, 2),
                    second == null ? 0 : Integer.parseInt(second),
                    micros(matcher.group(4)) * 1000);
        } catch (DateTimeException bad) {
            throw Casts.outOfRange(type, text);
        }
    }

    private static int micros(@org.jspecify.annotations.Nullable String fraction) {
        if (fraction == null) {
            return 0;
        }
        return Integer.parseInt((fraction + "000000").substring(0, 6));
    }

    static Instant timestamp(String text, SqlType type) {
        String stripped = bounded(text, type);
        if (stripped.toLowerCase(Locale.ROOT).equals("epoch")) {
            return Instant.EPOCH;
        }
        boolean era = isBeforeChrist(stripped);
        String plain = era ? withoutEra(stripped) : stripped;
        Matcher matcher = TIMESTAMP.matcher(plain);
        if (!matcher.matches()) {
            matcher = TIMESTAMP.matcher(isoInEra(plain, plain));
        }
        if (!matcher.matches()) {
            throw Casts.invalid(type, text);
        }
        try {
            LocalDate day = date(matcher.group(1) + (era ? BC : ""), type);
            LocalTime clock = matcher.group(2) == null ? LocalTime.MIDNIGHT : time(matcher.group(2), type);
            return LocalDateTime.of(day, clock).atZone(zone(matcher.group(3))).toInstant();
        } catch (ZoneRulesException unknown) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "time zone \"" + matcher.group(3) + "\" is not recognized");
        } catch (DateTimeException bad) {
            throw Casts.outOfRange(type, text);
        }
    }

    private static ZoneId zone(@org.jspecify.annotations.Nullable String zone) {
        if (zone == null || zone.equalsIgnoreCase("utc") || zone.equalsIgnoreCase("z")) {
            return ZoneOffset.UTC;
        }
        if (Character.isLetter(zone.charAt(0))) {
            return ZoneId.of(zone);
        }
        String digits = zone.substring(1).replace(":", "");
        int hours = Integer.parseInt(digits.length() > 2 ? digits.substring(0, digits.length() - 2) : digits);
        int minutes = digits.length() > 2 ? Integer.parseInt(digits.substring(digits.length() - 2)) : 0;
        int sign = zone.charAt(0) == '-' ? -1 : 1;
        return ZoneOffset.ofHoursMinutes(sign * hours, sign * minutes);
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }
}
