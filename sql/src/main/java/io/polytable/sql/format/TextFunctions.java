package io.polytable.sql.format;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import org.jspecify.annotations.Nullable;

/** Text functions of PostgreSQL that DuckDB lacks. */
public final class TextFunctions {
    private static final int RESULT_CHARS_MAX = 10_000_000;

    private TextFunctions() {}

    /** Capitalizes the first letter of each word and lowers the others. */
    public static String initcap(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean inside = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            boolean letter = Character.isLetterOrDigit(c);
            out.appendCodePoint(!letter ? c : inside ? Character.toLowerCase(c) : Character.toUpperCase(c));
            inside = letter;
            i += Character.charCount(c);
        }
        return out.toString();
    }

    public static String quoteIdent(String name) {
        boolean plain = name.matches("[a-z_][a-z0-9_$]*");
        return plain ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    public static String quoteLiteral(String text) {
        String quoted = "'" + text.replace("'", "''") + "'";
        return text.contains("\\") ? "E" + quoted.replace("\\", "\\\\") : quoted;
    }

    /** {@code format('%s %I %L', ...)}: {@code %n$s} selects an argument, {@code %-10s} sets a width. */
    public static String format(String template, @Nullable String[] arguments) {
        StringBuilder out = new StringBuilder();
        int next = 0;
        for (int i = 0; i < template.length(); i++) {
            char c = template.charAt(i);
            if (c != '%') {
                out.append(c);
                continue;
            }
            int end = i + 1;
            while (end < template.length() && "0123456789$-*".indexOf(template.charAt(end)) >= 0) {
                end++;
            }
            if (end >= template.length()) {
                throw new SqlError(SqlCode.INVALID_PARAMETER, "unterminated format() type specifier");
            }
            String modifiers = template.substring(i + 1, end);
            char kind = template.charAt(end);
            i = end;
            if (kind == '%') {
                out.append('%');
                continue;
            }
            int dollar = modifiers.indexOf('$');
            int index = dollar > 0 ? number(modifiers.substring(0, dollar)) - 1 : next++;
            if (dollar > 0) {
                next = index + 1;
            }
            String value = one(kind, index, arguments);
            pad(out, value, dollar > 0 ? modifiers.substring(dollar + 1) : modifiers);
        }
        return out.toString();
    }

    private static String one(char kind, int index, @Nullable String[] arguments) {
        if (index < 0 || index >= arguments.length) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "too few arguments for format()");
        }
        String argument = arguments[index];
        return switch (kind) {
            case 's' -> argument == null ? "" : argument;
            case 'L' -> argument == null ? "NULL" : quoteLiteral(argument);
            case 'I' -> {
                if (argument == null) {
                    throw new SqlError(
                            SqlCode.NULL_NOT_ALLOWED, "null values cannot be formatted as an SQL identifier");
                }
                yield quoteIdent(argument);
            }
            default ->
                throw new SqlError(SqlCode.INVALID_PARAMETER, "unrecognized format() type specifier \"" + kind + "\"");
        };
    }

    private static void pad(StringBuilder out, String value, String width) {
        boolean left = width.startsWith("-");
        String digits = left ? width.substring(1) : width;
        int wanted = digits.isEmpty() ? 0 : number(digits);
        if ((long) out.length() + Math.max(wanted, value.length()) > RESULT_CHARS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the result of format() is too long");
        }
        String space = " ".repeat(Math.max(0, wanted - value.length()));
        out.append(left ? value + space : space + value);
    }

    private static int number(String digits) {
        if (!digits.matches("\\d{1,6}")) {
            throw new SqlError(SqlCode.INVALID_PARAMETER, "invalid width in format(): \"" + digits + "\"");
        }
        return Integer.parseInt(digits);
    }

    /** Translates a SIMILAR TO pattern into a regular expression over the whole text. */
    public static String similar(String pattern) {
        StringBuilder out = new StringBuilder("^(?:");
        boolean inBrackets = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                out.append('\\').append(pattern.charAt(++i));
            } else if (inBrackets) {
                inBrackets = c != ']';
                out.append(c);
            } else {
                inBrackets = c == '[';
                out.append(
                        switch (c) {
                            case '%' -> ".*";
                            case '_' -> ".";
                            case '.', '^', '$' -> "\\" + c;
                            case '(' -> "(?:";
                            default -> String.valueOf(c);
                        });
            }
        }
        return out.append(")$").toString();
    }
}
