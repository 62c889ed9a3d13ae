package io.polytable.sql.query.duck;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.Texts;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.Struct;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's text form of types that columns cannot have: lists, rows and intervals. */
public final class PostgresTexts {
    private static final Pattern UNITS = Pattern.compile("(-?)(\\d+) (year|month|day)s?");
    private static final Pattern NEEDS_QUOTES = Pattern.compile("[\\s,\"\\\\{}()]");

    /** Every level of a row in rows doubles its quotation marks. */
    private static final int CHARS_MAX = 16 << 20;

    private PostgresTexts() {}

    static String of(Object value, String type) throws SQLException {
        if (value instanceof Array list) {
            return list(list);
        }
        if (value instanceof Struct row) {
            return row(row);
        }
        return type.equals("INTERVAL") ? interval(value.toString()) : Texts.of(value);
    }

    /** {@code 1 year 2 mons -3 days 04:05:06}; a part has a plus sign only after a negative one. */
    public static String interval(String text) {
        StringBuilder written = new StringBuilder();
        Matcher part = UNITS.matcher(text);
        boolean negative = false;
        int end = 0;
        while (part.find()) {
            String unit = part.group(3).equals("month") ? "mon" : part.group(3);
            boolean minus = !part.group(1).isEmpty();
            boolean single = part.group(2).equals("1") && !minus;
            written.append(written.length() > 0 ? " " : "")
                    .append(minus ? "-" : negative ? "+" : "")
                    .append(part.group(2))
                    .append(' ')
                    .append(unit)
                    .append(single ? "" : "s");
            negative = minus;
            end = part.end();
        }
        String clock = text.substring(end).strip();
        if (!clock.isEmpty()) {
            String padded = clock.matches("-?\\d:.*") ? clock.replaceFirst("(\\d)", "0$1") : clock;
            written.append(written.length() > 0 ? " " : "")
                    .append(negative && !padded.startsWith("-") ? "+" : "")
                    .append(padded);
        }
        return written.toString();
    }

    private static String list(Array list) throws SQLException {
        return joined((Object[]) list.getArray(), '{', "NULL", '}');
    }

    private static String row(Struct row) throws SQLException {
        return joined(row.getAttributes(), '(', "", ')');
    }

    private static String joined(Object[] items, char open, String absent, char close) throws SQLException {
        StringBuilder text = new StringBuilder().append(open);
        for (int i = 0; i < items.length; i++) {
            text.append(i > 0 ? "," : "").append(item(items[i], absent));
        }
        return text.append(close).toString();
    }

    private static String item(@Nullable Object item, String absent) throws SQLException {
        if (item == null) {
            return absent;
        }
        if (item instanceof Boolean bool) {
            return bool ? "t" : "f";
        }
        String text = item instanceof Array || item instanceof Struct ? of(item, "") : DuckValues.plainText(item);
        boolean nested = item instanceof Array;
        boolean plain = nested
                || (!text.isEmpty()
                        && !text.equalsIgnoreCase("NULL")
                        && !NEEDS_QUOTES.matcher(text).find());
        if (text.length() > CHARS_MAX) {
            throw new SqlError(
                    SqlCode.LIMIT_EXCEEDED, "the text of a list or row has more than " + CHARS_MAX + " characters");
        }
        return plain ? text : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
