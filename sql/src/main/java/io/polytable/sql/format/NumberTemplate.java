package io.polytable.sql.format;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** A template of {@code to_char} and {@code to_number} for numbers: {@code 9}, {@code 0}, {@code .}, {@code ,} and signs. */
public final class NumberTemplate {
    private static final int TEMPLATE_CHARS_MAX = 1000;

    private final String template;
    private final boolean fill;
    private final boolean ownSign;
    private final int fraction;

    public NumberTemplate(String given) {
        if (given.length() > TEMPLATE_CHARS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "a template has at most " + TEMPLATE_CHARS_MAX + " characters");
        }
        String upper = given.toUpperCase(Locale.ROOT);
        fill = !upper.contains("FM");
        template = upper.replace("FM", "").replace('D', '.').replace('G', ',');
        ownSign =
                template.contains("S") || template.contains("MI") || template.contains("PL") || template.contains("PR");
        int point = template.indexOf('.');
        fraction = point < 0 ? 0 : count(template.substring(point));
    }

    private static int count(String part) {
        return (int) part.chars().filter(c -> c == '9' || c == '0').count();
    }

    public String format(BigDecimal number) {
        BigDecimal rounded = number.abs().setScale(fraction, RoundingMode.HALF_UP);
        int point = template.indexOf('.');
        String whole = point < 0 ? template : template.substring(0, point);
        String digits = rounded.toBigInteger().toString();
        boolean zero = rounded.toBigInteger().signum() == 0;
        int places = count(whole);
        if (digits.length() > places && !(zero && fraction > 0)) {
            return (fill && !ownSign ? sign(number) : "") + template.replaceAll("[90]", "#");
        }
        int firstZero = whole.indexOf('0');
        StringBuilder out = new StringBuilder();
        int taken = 0;
        boolean behindDigit = false;
        for (int i = 0; i < whole.length(); i++) {
            char c = whole.charAt(i);
            if (c == '9' || c == '0') {
                int index = digits.length() - places + taken++;
                boolean shown = index >= 0 && !(zero && fraction > 0 && firstZero < 0);
                boolean padded = firstZero >= 0 && i >= firstZero;
                behindDigit |= shown || padded;
                out.append(shown ? String.valueOf(digits.charAt(index)) : padded ? "0" : " ");
            } else if (c == ',') {
                out.append(behindDigit ? "," : " ");
            }
        }
        if (point >= 0) {
            String all = rounded.toPlainString();
            out.append('.').append(fraction == 0 ? "" : all.substring(all.length() - fraction));
        }
        return signed(out.toString(), rounded.signum() == 0 ? BigDecimal.ZERO : number);
    }

    private static String sign(BigDecimal number) {
        return number.signum() < 0 ? "-" : " ";
    }

    private String signed(String digits, BigDecimal number) {
        boolean negative = number.signum() < 0;
        String stripped = digits.stripLeading();
        String pad = " ".repeat(digits.length() - stripped.length());
        String text;
        if (template.contains("PR")) {
            text = negative ? pad + "<" + stripped + ">" : pad + " " + stripped + " ";
        } else if (template.contains("MI")) {
            text = digits + (negative ? "-" : " ");
        } else if (template.startsWith("S")) {
            text = pad + (negative ? "-" : "+") + stripped;
        } else if (template.endsWith("S")) {
            text = digits + (negative ? "-" : "+");
        } else {
            text = pad + (negative ? "-" : " ") + stripped;
        }
        return fill ? text : template.endsWith("9") ? withoutLastZeros(text.strip()) : text.strip();
    }

    /** The text without the zeros that end its fraction. */
    private static String withoutLastZeros(String text) {
        int point = text.indexOf('.');
        int end = text.length();
        while (point >= 0 && end - 1 > point && text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, end);
    }

    /** The number in a text, ignoring other characters; empty if it has no digits. */
    public static String parse(String text) {
        StringBuilder digits = new StringBuilder();
        boolean negative = false;
        boolean point = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isDigit(c)) {
                digits.append(c);
            } else if (c == '.' && !point) {
                digits.append('.');
                point = true;
            } else if (c == '-' || c == '<') {
                negative = true;
            }
        }
        return digits.length() == 0 ? "" : (negative ? "-" : "") + digits;
    }
}
