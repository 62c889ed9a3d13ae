package io.polytable.sql.format;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.JulianFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A template of {@code to_char} and {@code to_timestamp}: patterns such as {@code YYYY} and {@code MI}, and literal
 * text.
 */
public final class TimeTemplate {
    private static final int TEMPLATE_CHARS_MAX = 1000;
    private static final int NAME_WIDTH = 9;

    /** A pattern comes before its own prefixes. */
    private static final List<String> PATTERNS = List.of(
            "HH24", "HH12", "YYYY", "IYYY", "SSSSS", "SSSS", "MONTH", "Month", "month", "Y,YYY", "A.M.", "a.m.", "P.M.",
            "p.m.", "A.D.", "a.d.", "B.C.", "b.c.", "YYY", "IYY", "DAY", "Day", "day", "DDD", "MON", "Mon", "mon",
            "IDDD", "TZH", "TZM", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "YY", "IY", "MM", "MI", "MS", "DD", "DY",
            "Dy", "dy", "ID", "HH", "SS", "US", "WW", "IW", "CC", "AM", "am", "PM", "pm", "AD", "ad", "BC", "bc", "RM",
            "rm", "TZ", "tz", "OF", "Y", "I", "D", "W", "Q", "J");

    /** Patterns without an ordinal suffix: {@code TH} after them is ignored. */
    private static final Set<String> UNCOUNTED = Set.of(
            "MONTH", "Month", "month", "MON", "Mon", "mon", "DAY", "Day", "day", "DY", "Dy", "dy", "RM", "rm", "AM",
            "am", "PM", "pm", "A.M.", "a.m.", "P.M.", "p.m.", "AD", "ad", "BC", "bc", "A.D.", "a.d.", "B.C.", "b.c.",
            "TZ", "tz", "TZH", "TZM", "OF");

    private static final List<String> ROMAN =
            List.of("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII");

    private static final int ROMAN_WIDTH = 4;

    private record Piece(String pattern, String text, boolean fill, boolean ordinal) {}

    private final List<Piece> pieces = new ArrayList<>();

    public TimeTemplate(String template) {
        if (template.length() > TEMPLATE_CHARS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "a template has at most " + TEMPLATE_CHARS_MAX + " characters");
        }
        int at = 0;
        boolean fill = true;
        while (at < template.length()) {
            if (template.startsWith("FM", at)) {
                fill = false;
                at += 2;
                continue;
            }
            String pattern = patternAt(template, at);
            if (!pattern.isEmpty()) {
                at += pattern.length();
                boolean ordinal = template.startsWith("TH", at) || template.startsWith("th", at);
                String suffix = ordinal ? template.substring(at, at + 2) : "";
                at += suffix.length();
                pieces.add(new Piece(pattern, suffix, fill, ordinal && !UNCOUNTED.contains(pattern)));
                fill = true;
            } else if (template.charAt(at) == '"') {
                int end = template.indexOf('"', at + 1);
                int close = end < 0 ? template.length() : end;
                pieces.add(new Piece("", template.substring(at + 1, close), true, false));
                at = Math.min(close + 1, template.length());
            } else {
                pieces.add(new Piece("", template.substring(at, at + 1), true, false));
                at++;
            }
        }
    }

    private static String patternAt(String template, int at) {
        for (String pattern : PATTERNS) {
            if (template.startsWith(pattern, at)) {
                return pattern;
            }
        }
        // Numeric patterns may be in lower case too.
        for (String pattern : PATTERNS) {
            if (template.regionMatches(true, at, pattern, 0, pattern.length())
                    && !Character.isUpperCase(template.charAt(at))) {
                return pattern;
            }
        }
        return "";
    }

    public String format(LocalDateTime moment) {
        return format((pattern, fill) -> value(pattern, moment, fill));
    }

    public String format(IntervalFields interval) {
        return format(interval::value);
    }

    private interface Values {
        String of(String pattern, boolean fill);
    }

    private String format(Values values) {
        StringBuilder out = new StringBuilder();
        for (Piece piece : pieces) {
            if (piece.pattern().isEmpty()) {
                out.append(piece.text());
                continue;
            }
            String value = values.of(piece.pattern(), piece.fill());
            out.append(value);
            if (piece.ordinal()) {
                String suffix = ordinal(Long.parseLong(value.strip().replace(",", "")));
                out.append(piece.text().equals("TH") ? suffix.toUpperCase(Locale.ROOT) : suffix);
            }
        }
        return out.toString();
    }

    private static String value(String pattern, LocalDateTime moment, boolean fill) {
        return switch (pattern) {
            case "YYYY" -> number(moment.getYear(), 4, fill);
            case "YYY" -> number(moment.getYear() % 1000, 3, fill);
            case "YY" -> number(moment.getYear() % 100, 2, fill);
            case "Y" -> number(moment.getYear() % 10, 1, fill);
            case "Y,YYY" -> moment.getYear() / 1000 + "," + number(moment.getYear() % 1000, 3, true);
            case "IYYY" -> number(moment.get(IsoFields.WEEK_BASED_YEAR), 4, fill);
            case "IYY" -> number(moment.get(IsoFields.WEEK_BASED_YEAR) % 1000, 3, fill);
            case "I" -> number(moment.get(IsoFields.WEEK_BASED_YEAR) % 10, 1, fill);
            case "IY" -> number(moment.get(IsoFields.WEEK_BASED_YEAR) % 100, 2, fill);
            case "MM" -> number(moment.getMonthValue(), 2, fill);
            case "DD" -> number(moment.getDayOfMonth(), 2, fill);
            case "DDD" -> number(moment.getDayOfYear(), 3, fill);
            case "IDDD" -> number(dayOfIsoYear(moment), 3, fill);
            case "D" -> number(moment.getDayOfWeek().getValue() % 7 + 1, 1, fill);
            case "ID" -> number(moment.getDayOfWeek().getValue(), 1, fill);
            case "WW" -> number((moment.getDayOfYear() - 1) / 7 + 1, 2, fill);
            case "IW" -> number(moment.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, fill);
            case "W" -> number((moment.getDayOfMonth() - 1) / 7 + 1, 1, fill);
            case "Q" -> number(moment.get(IsoFields.QUARTER_OF_YEAR), 1, fill);
            case "CC" -> number((moment.getYear() + 99) / 100, 2, fill);
            case "J" -> Long.toString(moment.getLong(JulianFields.JULIAN_DAY));
            default -> clockOrName(pattern, moment, fill);
        };
    }

    /** Counted from the Monday of the first ISO week. */
    private static int dayOfIsoYear(LocalDateTime moment) {
        return (moment.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR) - 1) * 7
                + moment.getDayOfWeek().getValue();
    }

    private static String roman(LocalDateTime moment, boolean fill) {
        String month = ROMAN.get(moment.getMonthValue() - 1);
        return fill ? month + " ".repeat(ROMAN_WIDTH - month.length()) : month;
    }

    private static String clockOrName(String pattern, LocalDateTime moment, boolean fill) {
        return switch (pattern) {
            case "HH24" -> number(moment.getHour(), 2, fill);
            case "HH12", "HH" -> number(moment.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2, fill);
            case "MI" -> number(moment.getMinute(), 2, fill);
            case "SS" -> number(moment.getSecond(), 2, fill);
            case "MS" -> number(moment.getNano() / 1_000_000, 3, fill);
            case "US" -> number(moment.getNano() / 1000, 6, fill);
            case "SSSS", "SSSSS" -> Integer.toString(moment.toLocalTime().toSecondOfDay());
            case "AM", "PM" -> moment.getHour() < 12 ? "AM" : "PM";
            case "am", "pm" -> moment.getHour() < 12 ? "am" : "pm";
            case "A.M.", "P.M." -> moment.getHour() < 12 ? "A.M." : "P.M.";
            case "a.m.", "p.m." -> moment.getHour() < 12 ? "a.m." : "p.m.";
            case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6" ->
                number(moment.getNano() / 1000, 6, true).substring(0, pattern.charAt(2) - '0');
            case "AD", "BC" -> moment.getYear() > 0 ? "AD" : "BC";
            case "ad", "bc" -> moment.getYear() > 0 ? "ad" : "bc";
            case "A.D.", "B.C." -> moment.getYear() > 0 ? "A.D." : "B.C.";
            case "a.d.", "b.c." -> moment.getYear() > 0 ? "a.d." : "b.c.";
            case "RM" -> roman(moment, fill);
            case "rm" -> roman(moment, fill).toLowerCase(Locale.ROOT);
            case "TZ" -> "UTC";
            case "tz" -> "utc";
            case "OF", "TZH" -> "+00";
            case "TZM" -> "00";
            default -> name(pattern, moment, fill);
        };
    }

    private static String name(String pattern, LocalDateTime moment, boolean fill) {
        boolean month = pattern.toLowerCase(Locale.ROOT).startsWith("m");
        boolean shortened = pattern.length() < (month ? 4 : 3);
        TextStyle style = shortened ? TextStyle.SHORT : TextStyle.FULL;
        String name = month
                ? moment.getMonth().getDisplayName(style, Locale.ENGLISH)
                : moment.getDayOfWeek().getDisplayName(style, Locale.ENGLISH);
        String cut = shortened ? name.substring(0, 3) : name;
        String cased = pattern.equals(pattern.toUpperCase(Locale.ROOT))
                ? cut.toUpperCase(Locale.ROOT)
                : pattern.equals(pattern.toLowerCase(Locale.ROOT)) ? cut.toLowerCase(Locale.ROOT) : cut;
        return fill && !shortened ? cased + " ".repeat(NAME_WIDTH - cased.length()) : cased;
    }

    private static String number(int value, int width, boolean fill) {
        String digits = Integer.toString(value);
        return fill && digits.length() < width ? "0".repeat(width - digits.length()) + digits : digits;
    }

    static String ordinal(long number) {
        long tens = Math.abs(number) % 100;
        if (tens >= 11 && tens <= 13) {
            return "th";
        }
        return switch ((int) (Math.abs(number) % 10)) {
            case 1 -> "st";
            case 2 -> "nd";
            case 3 -> "rd";
            default -> "th";
        };
    }

    /** Parses the text; fields that it does not name default to the first moment of year one. */
    public LocalDateTime parse(String text) {
        Parsed parsed = new Parsed(text);
        try {
            for (Piece piece : pieces) {
                parsed.take(piece.pattern());
            }
            return parsed.moment();
        } catch (DateTimeException beyond) {
            throw new SqlError(SqlCode.DATETIME_OVERFLOW, "date/time field value out of range: \"" + text + "\"");
        }
    }

    /** The fields parsed so far. */
    private static final class Parsed {
        private final String text;
        private int at;
        private int year = 1;
        private int month = 1;
        private int day = 1;
        private int hour;
        private int minute;
        private int second;
        private int nanos;
        private int dayOfYear;
        private boolean afternoon;
        private boolean halfDays;

        Parsed(String text) {
            this.text = text;
        }

        void take(String pattern) {
            switch (pattern) {
                // A literal character of the template matches any one that is neither a letter nor a digit.
                case "" -> at += at < text.length() && !Character.isLetterOrDigit(text.charAt(at)) ? 1 : 0;
                case "YYYY" -> year = digits(4);
                case "YY" -> {
                    int two = digits(2);
                    year = two < 70 ? 2000 + two : 1900 + two;
                }
                case "MM" -> month = digits(2);
                case "DD" -> day = digits(2);
                case "DDD" -> dayOfYear = digits(3);
                case "HH24" -> hour = digits(2);
                case "HH12", "HH" -> {
                    hour = digits(2);
                    halfDays = true;
                }
                case "MI" -> minute = digits(2);
                case "SS" -> second = digits(2);
                case "MS" -> nanos = fraction(3);
                case "US" -> nanos = fraction(6);
                case "AM", "PM", "am", "pm", "A.M.", "P.M.", "a.m.", "p.m." -> {
                    afternoon = Character.toLowerCase(next()) == 'p';
                    at += pattern.length() - 1;
                }
                default -> takeName(pattern);
            }
        }

        private void takeName(String pattern) {
            String lower = pattern.toLowerCase(Locale.ROOT);
            int end = at;
            while (end < text.length() && Character.isLetter(text.charAt(end))) {
                end++;
            }
            String word = text.substring(at, end).toLowerCase(Locale.ROOT);
            at = end;
            if (lower.equals("rm") && ROMAN.contains(word.toUpperCase(Locale.ROOT))) {
                month = ROMAN.indexOf(word.toUpperCase(Locale.ROOT)) + 1;
                return;
            }
            if (!lower.startsWith("mon") && !lower.equals("rm")) {
                return;
            }
            for (int i = 1; i <= 12; i++) {
                String name = java.time.Month.of(i)
                        .getDisplayName(TextStyle.FULL, Locale.ENGLISH)
                        .toLowerCase(Locale.ROOT);
                if (word.length() >= 3
                        && (name.equals(word) || name.substring(0, 3).equals(word))) {
                    month = i;
                    return;
                }
            }
            throw new SqlError(SqlCode.INVALID_DATETIME, "invalid value \"" + word + "\" for \"" + pattern + "\"");
        }

        private char next() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            return at < text.length() ? text.charAt(at++) : ' ';
        }

        private int digits(int most) {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            int from = at;
            while (at < text.length() && at - from < most && isDigit(text.charAt(at))) {
                at++;
            }
            if (at == from) {
                throw new SqlError(
                        SqlCode.INVALID_DATETIME,
                        "invalid value \"" + text.substring(from, Math.min(text.length(), from + most)) + "\" in \""
                                + text + "\"");
            }
            return Integer.parseInt(text.substring(from, at));
        }

        /** Java would also take the digits of other scripts. */
        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        private int fraction(int most) {
            int from = at;
            int value = digits(most);
            for (int i = at - from; i < 9; i++) {
                value *= 10;
            }
            return value;
        }

        LocalDateTime moment() {
            int full = halfDays ? hour % 12 + (afternoon ? 12 : 0) : hour;
            LocalDateTime moment = LocalDateTime.of(year, month, day, full, minute, second, nanos);
            return dayOfYear > 0 ? moment.withDayOfYear(dayOfYear) : moment;
        }
    }
}
