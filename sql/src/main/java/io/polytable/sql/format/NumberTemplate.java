package io.polytable.sql.format;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A template of {@code to_char} and {@code to_number} for numbers: digits, point, groups, signs, ordinals, Roman numerals and
 * exponents, as PostgreSQL defines them in its locale C.
 */
public final class NumberTemplate {
    private static final int TEMPLATE_CHARS_MAX = 1000;

    /** A pattern comes before its own prefixes. */
    private static final List<String> PATTERNS = List.of(
            "EEEE", "FM", "MI", "PL", "PR", "RN", "SG", "TH", "9", "0", ".", "D", ",", "G", "L", "S", "V", "B", "C");

    /** A pattern, with the case that it was written in, or literal text. */
    private record Piece(String pattern, String text) {}

    private final List<Piece> pieces = new ArrayList<>();
    private final boolean fill;
    private final Digits digits;

    /**
     * The places for digits.
     *
     * @param multiplied places behind {@code V}, which multiplies by a power of ten
     * @param firstZero the place from which on zeros are written, or -1
     * @param lastZero the number of places behind the point up to the last {@code 0}
     */
    private record Digits(int whole, int fraction, int multiplied, int firstZero, int lastZero) {}

    public NumberTemplate(String given) {
        if (given.length() > TEMPLATE_CHARS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "a template has at most " + TEMPLATE_CHARS_MAX + " characters");
        }
        int at = 0;
        while (at < given.length()) {
            at = piece(given, at);
        }
        fill = !pieces.removeIf(piece -> piece.pattern().equals("FM"));
        digits = counted();
        requireConsistent();
    }

    private int piece(String given, int at) {
        if (given.charAt(at) == '"') {
            int end = given.indexOf('"', at + 1);
            int close = end < 0 ? given.length() : end;
            pieces.add(new Piece("", given.substring(at + 1, close)));
            return close + 1;
        }
        for (String pattern : PATTERNS) {
            if (given.regionMatches(true, at, pattern, 0, pattern.length())) {
                String text = given.substring(at, at + pattern.length());
                String known = pattern.equals("D") ? "." : pattern.equals("G") ? "," : pattern;
                pieces.add(new Piece(known, text));
                return at + pattern.length();
            }
        }
        pieces.add(new Piece("", given.substring(at, at + 1)));
        return at + 1;
    }

    private Digits counted() {
        int whole = 0;
        int fraction = 0;
        int multiplied = 0;
        int firstZero = -1;
        int lastZero = 0;
        boolean behindPoint = false;
        boolean behindV = false;
        for (Piece piece : pieces) {
            behindPoint |= piece.pattern().equals(".");
            behindV |= piece.pattern().equals("V");
            boolean zero = piece.pattern().equals("0");
            if (!zero && !piece.pattern().equals("9")) {
                continue;
            }
            if (behindPoint) {
                fraction++;
                lastZero = zero ? fraction : lastZero;
            } else {
                firstZero = zero && firstZero < 0 ? whole : firstZero;
                multiplied += behindV ? 1 : 0;
                whole++;
            }
        }
        return new Digits(whole, fraction, multiplied, firstZero, lastZero);
    }

    private boolean has(String pattern) {
        return pieces.stream().anyMatch(piece -> piece.pattern().equals(pattern));
    }

    private void requireConsistent() {
        boolean exponent = has("EEEE");
        boolean last = exponent && pieces.get(pieces.size() - 1).pattern().equals("EEEE");
        boolean others = List.of("S", "MI", "PL", "SG", "PR", "V", "RN", "TH", "L").stream()
                .anyMatch(this::has);
        if ((has("V") && has(".")) || (exponent && (!last || others))) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "the template has patterns that exclude each other");
        }
    }

    public String format(BigDecimal number) {
        if (has("RN")) {
            return roman(number);
        }
        return has("EEEE") ? scientific(number) : new Output(number).text();
    }

    private String roman(BigDecimal number) {
        boolean lower = pieces.stream().anyMatch(piece -> piece.text().equals("rn"));
        int value = number.setScale(0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(Integer.MAX_VALUE))
                .intValue();
        String numeral = number.signum() > 0 ? Roman.numeral(value) : "";
        if (numeral.isEmpty()) {
            return "#".repeat(Roman.WIDTH);
        }
        String padded = fill ? " ".repeat(Roman.WIDTH - numeral.length()) + numeral : numeral;
        return lower ? padded.toLowerCase(Locale.ROOT) : padded;
    }

    private String scientific(BigDecimal number) {
        BigDecimal size = number.abs();
        int exponent = size.signum() == 0 ? 0 : size.precision() - size.scale() - 1;
        BigDecimal mantissa = size.movePointLeft(exponent).setScale(digits.fraction(), RoundingMode.HALF_UP);
        String power = Integer.toString(Math.abs(exponent));
        return sign(number.signum() < 0, " ") + mantissa.toPlainString() + "e" + sign(exponent < 0, "+")
                + (power.length() < 2 ? "0" : "") + power;
    }

    private static String sign(boolean negative, String positive) {
        return negative ? "-" : positive;
    }

    /** Writes one number, piece by piece. */
    private final class Output {
        private final StringBuilder out = new StringBuilder();
        private final boolean negative;
        private final String whole;
        private final String fraction;
        private final boolean overflow;
        private int place;
        private int placeBehind;
        private boolean begun;
        private boolean signed;

        Output(BigDecimal number) {
            BigDecimal rounded =
                    number.abs().movePointRight(digits.multiplied()).setScale(digits.fraction(), RoundingMode.HALF_UP);
            BigInteger integer = rounded.toBigInteger();
            negative = number.signum() < 0 && rounded.signum() != 0;
            boolean nothing = integer.signum() == 0
                    && digits.fraction() > 0
                    && digits.firstZero() < 0
                    && !(rounded.signum() == 0 && !fill);
            whole = nothing ? "" : integer.toString();
            String plain = rounded.toPlainString();
            fraction = digits.fraction() == 0 ? "" : plain.substring(plain.length() - digits.fraction());
            overflow = whole.length() > digits.whole();
            // These write the sign themselves.
            signed = has("MI") || has("SG") || (has("S") && !isSignFirst());
        }

        private boolean isSignFirst() {
            for (Piece piece : pieces) {
                switch (piece.pattern()) {
                    case "S" -> {
                        return true;
                    }
                    case "9", "0", "." -> {
                        return false;
                    }
                    default -> {}
                }
            }
            return false;
        }

        String text() {
            for (Piece piece : pieces) {
                write(piece);
            }
            return out.toString();
        }

        private void write(Piece piece) {
            switch (piece.pattern()) {
                case "" -> out.append(piece.text());
                case "9", "0" -> digit();
                case "," -> out.append(begun ? "," : fill ? " " : "");
                case "." -> point();
                case "MI" -> out.append(sign(negative, fill ? " " : ""));
                case "PL" -> out.append(negative ? (fill ? " " : "") : "+");
                case "SG" -> out.append(sign(negative, "+"));
                case "S" -> out.append(isSignFirst() ? "" : sign(negative, "+"));
                case "PR" -> out.append(negative ? ">" : fill ? " " : "");
                case "L" -> out.append(' ');
                case "TH" -> ordinal(piece.text());
                default -> {}
            }
        }

        private void digit() {
            if (placeBehind > 0) {
                behindPoint();
                return;
            }
            int index = whole.length() - digits.whole() + place;
            boolean zero = digits.firstZero() >= 0 && place >= digits.firstZero();
            place++;
            if (overflow) {
                begin();
                out.append('#');
            } else if (index >= 0 || zero) {
                begin();
                out.append(index >= 0 ? whole.charAt(index) : '0');
            } else {
                out.append(fill ? " " : "");
            }
        }

        /** Without padding, zeros at the end of the fraction are left out, up to the last place that demands one. */
        private void behindPoint() {
            int index = placeBehind++ - 1;
            int needed = fraction.length();
            while (!fill && needed > digits.lastZero() && fraction.charAt(needed - 1) == '0') {
                needed--;
            }
            if (overflow) {
                out.append('#');
            } else if (index < needed) {
                out.append(fraction.charAt(index));
            }
        }

        private void point() {
            placeBehind = 1;
            if (digits.fraction() > 0) {
                begin();
                out.append('.');
            }
        }

        /** Before the first digit: its sign. */
        private void begin() {
            begun = true;
            if (signed) {
                return;
            }
            signed = true;
            String positive = has("S") ? "+" : fill ? " " : "";
            out.append(has("PR") ? (negative ? "<" : fill ? " " : "") : sign(negative, positive));
        }

        private void ordinal(String written) {
            if (negative || overflow || digits.fraction() > 0 || whole.isEmpty()) {
                return;
            }
            BigInteger[] parts = new BigInteger(whole).divideAndRemainder(BigInteger.valueOf(100));
            String suffix = TimeTemplate.ordinal(parts[1].intValue());
            out.append(Character.isUpperCase(written.charAt(0)) ? suffix.toUpperCase(Locale.ROOT) : suffix);
        }
    }

    /** The number in a text, ignoring other characters; empty if it has no digits. */
    public static String parse(String text) {
        StringBuilder digits = new StringBuilder();
        boolean negative = false;
        boolean point = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
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
