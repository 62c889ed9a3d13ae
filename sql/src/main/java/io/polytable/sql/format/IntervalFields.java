package io.polytable.sql.format;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields of an interval, each with its sign: hours may be more than 24. */
public record IntervalFields(long years, long months, long days, long hours, long minutes, long seconds, long micros) {
    private static final Pattern UNITS = Pattern.compile("(-?\\d+) (year|month|day)s?");
    private static final Pattern CLOCK = Pattern.compile("(-?)(\\d+):(\\d{2}):(\\d{2})(?:\\.(\\d{1,6}))?$");

    /**
     * Parses an interval.
     *
     * @param text as DuckDB writes it: {@code 1 year 2 months 3 days 04:05:06.7}
     */
    public static IntervalFields of(String text) {
        long years = 0;
        long months = 0;
        long days = 0;
        Matcher unit = UNITS.matcher(text);
        while (unit.find()) {
            long count = Long.parseLong(unit.group(1));
            switch (unit.group(2)) {
                case "year" -> years = count;
                case "month" -> months = count;
                default -> days = count;
            }
        }
        Matcher clock = CLOCK.matcher(text);
        if (!clock.find()) {
            return new IntervalFields(years, months, days, 0, 0, 0, 0);
        }
        long sign = clock.group(1).isEmpty() ? 1 : -1;
        String fraction = clock.group(5) == null ? "" : clock.group(5);
        long micros = Long.parseLong((fraction + "000000").substring(0, 6));
        return new IntervalFields(
                years,
                months,
                days,
                sign * Long.parseLong(clock.group(2)),
                sign * Long.parseLong(clock.group(3)),
                sign * Long.parseLong(clock.group(4)),
                sign * micros);
    }

    /** What a pattern of a template stands for. */
    String value(String pattern, boolean fill) {
        return switch (pattern) {
            case "YYYY" -> padded(years, 4, fill);
            case "YYY" -> padded(years % 1000, 3, fill);
            case "YY" -> padded(years % 100, 2, fill);
            case "Y" -> padded(years % 10, 1, fill);
            case "CC" -> padded(years / 100, 2, fill);
            case "MM" -> padded(months, 2, fill);
            case "Q" -> months == 0 ? "" : Long.toString((months - 1) / 3 + 1);
            case "DD" -> signed(days, 2, fill);
            case "DDD" -> signed(allDays(), 3, fill);
            case "WW" -> padded((allDays() - 1) / 7 + 1, 2, fill);
            case "HH24" -> padded(hours, 2, fill);
            case "HH12", "HH" -> padded(hours % 12 == 0 ? 12 : hours % 12, 2, fill);
            case "MI" -> padded(minutes, 2, fill);
            case "SS" -> padded(seconds, 2, fill);
            case "MS" -> padded(micros / 1000, 3, fill);
            case "US" -> padded(micros, 6, fill);
            case "SSSS", "SSSSS" -> Long.toString(hours * 3600 + minutes * 60 + seconds);
            case "RM", "rm" -> month(pattern, fill);
            case "AM", "PM", "am", "pm", "A.M.", "P.M.", "a.m.", "p.m." -> halfOfDay(pattern);
            default ->
                throw new SqlError(
                        SqlCode.INVALID_DATETIME, "an interval has no \"" + pattern + "\" for a template to show");
        };
    }

    private long allDays() {
        return (years * 12 + months) * 30 + days;
    }

    private String month(String pattern, boolean fill) {
        String numeral = Roman.numeral((int) Math.max(0, months));
        String wide = fill && !numeral.isEmpty() ? numeral + " ".repeat(4 - Math.min(4, numeral.length())) : numeral;
        return pattern.equals("rm") ? wide.toLowerCase(Locale.ROOT) : wide;
    }

    private String halfOfDay(String pattern) {
        boolean afternoon = hours % 24 >= 12;
        char half = afternoon ? 'P' : 'A';
        boolean lower = Character.isLowerCase(pattern.charAt(0));
        return (lower ? Character.toLowerCase(half) : half) + pattern.substring(1);
    }

    /** The sign takes the place of a digit. */
    private static String signed(long value, int width, boolean fill) {
        return padded(value, value < 0 ? width - 1 : width, fill);
    }

    /** The sign takes no place of the digits. */
    private static String padded(long value, int width, boolean fill) {
        String digits = Long.toString(Math.abs(value));
        String zeros = fill && digits.length() < width ? "0".repeat(width - digits.length()) : "";
        return (value < 0 ? "-" : "") + zeros + digits;
    }
}
