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

    /** More than microseconds. */
    private static final Pattern LONG_FRACTION = Pattern.compile(":\\d{2}\\.\\d{7}");

    private static final Pattern DATE_FIRST = Pattern.compile("^(\\d{4,7}-\\d{1,2}-\\d{1,2})");

    private static final int MICROS_PER_SECOND = 1_000_000;

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
        if (LONG_FRACTION.matcher(stripped).find() && stripped.length() <= LENGTH_MAX) {
            return duckText(timestamp(stripped, SqlType.TIMESTAMP));
        }
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

    /** A time as DuckDB reads it: rounded to microseconds, where DuckDB would cut. */
    public static String isoTime(String text) {
        return LONG_FRACTION.matcher(text).find() ? time(text, SqlType.TIME).toString() : text;
    }

    /** With the era behind the date, as DuckDB has it. */
    private static String duckText(Instant moment) {
        String text = Texts.of(moment);
        return text.endsWith(BC) ? DATE_FIRST.matcher(withoutEra(text)).replaceFirst("$1 (BC)") : text;
    }

    /** Queries compare with infinite dates, but rows store none. */
    private static void refuseInfinity(String stripped) {
        String unsigned = stripped.startsWith("-") || stripped.startsWith("+") ? stripped.substring(1) : stripped;
        if (unsigned.equalsIgnoreCase("infinity")) {
            throw new SqlError(SqlCode.UNSUPPORTED, "infinite dates and timestamps cannot be stored");
        }
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
        refuseInfinity(stripped);
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

    /** The date if rows store it: DuckDB has infinite ones. */
    static LocalDate inRange(LocalDate date, SqlType type) {
        if (date.isBefore(DATE_MIN) || date.isAfter(DATE_MAX)) {
            throw Casts.outOfRange(type, date);
        }
        return date;
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
        Matcher matcher = clock(text, type);
        try {
            int micros = micros(matcher.group(4));
            LocalTime time = seconds(matcher).plusNanos(micros * 1000L);
            if (micros == MICROS_PER_SECOND && time.equals(LocalTime.MIDNIGHT)) {
                throw Casts.outOfRange(type, text);
            }
            return time;
        } catch (DateTimeException bad) {
            throw Casts.outOfRange(type, text);
        }
    }

    private static Matcher clock(String text, SqlType type) {
        Matcher matcher = TIME.matcher(bounded(text, type));
        if (!matcher.matches()) {
            throw Casts.invalid(type, text);
        }
        return matcher;
    }

    private static LocalTime seconds(Matcher matcher) {
        String second = matcher.group(3);
        return LocalTime.of(number(matcher, 1), number(matcher, 2), second == null ? 0 : Integer.parseInt(second));
    }

    /** Rounded as PostgreSQL does, so that it may be a whole second. */
    private static int micros(@org.jspecify.annotations.Nullable String fraction) {
        return fraction == null ? 0 : (int) Math.rint(Double.parseDouble("0." + fraction) * MICROS_PER_SECOND);
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
            LocalDateTime moment = day.atStartOfDay();
            if (matcher.group(2) != null) {
                Matcher clock = clock(matcher.group(2), type);
                boolean endOfDay = number(clock, 1) == 24;
                LocalTime time = seconds(endOfDay ? clock(matcher.group(2).replaceFirst("24", "0"), type) : clock);
                int micros = micros(clock.group(4));
                if (endOfDay && (micros > 0 || !time.equals(LocalTime.MIDNIGHT))) {
                    throw Casts.outOfRange(type, text);
                }
                moment = (endOfDay ? day.plusDays(1) : day).atTime(time).plusNanos(micros * 1000L);
            }
            return moment.atZone(zone(matcher.group(3))).toInstant();
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
