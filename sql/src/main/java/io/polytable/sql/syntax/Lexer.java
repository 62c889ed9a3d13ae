package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Splits a text into tokens, by PostgreSQL's rules for names, strings, numbers, operators and comments. */
final class Lexer {
    /** Bounds memory. An INSERT of many rows has two tokens a value, so the limit is far beyond hand-written text. */
    static final int TOKENS_MAX = 4_000_000;

    private static final String OPERATOR_CHARS = "+-*/<>=~!@#%^&|`";
    private static final String SINGLE_CHARS = "(),;[]{}.:";

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String text) {
        this.text = text;
    }

    /** All tokens, followed by one of {@link Token.Kind#END}. */
    static List<Token> tokens(String text) {
        Lexer lexer = new Lexer(text);
        while (lexer.step()) {
            if (lexer.tokens.size() > TOKENS_MAX) {
                throw new SqlError(SqlCode.LIMIT_EXCEEDED, "the statement has too many words", lexer.at);
            }
        }
        lexer.tokens.add(new Token(Token.Kind.END, "", text.length(), text.length()));
        return lexer.tokens;
    }

    private boolean step() {
        skipBlanks();
        if (at >= text.length()) {
            return false;
        }
        char c = text.charAt(at);
        if (isNameStart(c)) {
            wordOrPrefixedString();
        } else if (c == '"') {
            quotedName();
        } else if (c == '\'') {
            int start = at;
            add(Token.Kind.STRING, string(at + 1), start);
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            number();
        } else if (c == '$') {
            dollar();
        } else if (c == '?') {
            at++;
            add(Token.Kind.PARAMETER, "?", at - 1);
        } else {
            symbol(c);
        }
        return true;
    }

    private void add(Token.Kind kind, String value, int start) {
        tokens.add(new Token(kind, value, start, at));
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= 0x80 && Character.isLetter(c));
    }

    private static boolean isNamePart(char c) {
        return isNameStart(c) || isDigit(c) || c == '$';
    }

    private void skipBlanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '-' && peek(1) == '-') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end + 1;
            } else if (c == '/' && peek(1) == '*') {
                skipComment();
            } else {
                return;
            }
        }
    }

    /** Comments nest. */
    private void skipComment() {
        int start = at;
        int depth = 0;
        do {
            if (at >= text.length()) {
                throw new SqlError(SqlCode.SYNTAX_ERROR, "unterminated comment", start);
            }
            if (text.charAt(at) == '/' && peek(1) == '*') {
                depth++;
                at += 2;
            } else if (text.charAt(at) == '*' && peek(1) == '/') {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0);
    }

    private void wordOrPrefixedString() {
        int start = at;
        char first = text.charAt(at);
        if ((first == 'e' || first == 'E') && peek(1) == '\'') {
            at++;
            add(Token.Kind.STRING, escapedString(), start);
            return;
        }
        if ((first == 'x' || first == 'X') && peek(1) == '\'') {
            at++;
            add(Token.Kind.STRING, "\\x" + string(at + 1), start);
            return;
        }
        while (at < text.length() && isNamePart(text.charAt(at))) {
            at++;
        }
        add(Token.Kind.WORD, text.substring(start, at).toLowerCase(Locale.ROOT), start);
    }

    private void quotedName() {
        int start = at;
        StringBuilder name = new StringBuilder();
        for (at++; ; at++) {
            if (at >= text.length()) {
                throw new SqlError(SqlCode.SYNTAX_ERROR, "unterminated quoted name", start);
            }
            char c = text.charAt(at);
            if (c == '"' && peek(1) != '"') {
                break;
            }
            at += c == '"' ? 1 : 0;
            name.append(c);
        }
        at++;
        if (name.isEmpty()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "a quoted name is empty", start);
        }
        add(Token.Kind.QUOTED, name.toString(), start);
    }

    /** A string's value, with doubled quotes undone. Leaves {@link #at} after the closing quote. */
    private String string(int from) {
        int start = at;
        StringBuilder value = new StringBuilder();
        at = from;
        while (true) {
            int quote = text.indexOf('\'', at);
            if (quote < 0) {
                throw new SqlError(SqlCode.SYNTAX_ERROR, "unterminated string", start);
            }
            value.append(text, at, quote);
            at = quote + 1;
            if (peek(0) != '\'') {
                return value.toString();
            }
            value.append('\'');
            at++;
        }
    }

    private String escapedString() {
        int start = at;
        StringBuilder value = new StringBuilder();
        for (at++; ; at++) {
            if (at >= text.length()) {
                throw new SqlError(SqlCode.SYNTAX_ERROR, "unterminated string", start);
            }
            char c = text.charAt(at);
            if (c == '\\' && at + 1 < text.length()) {
                at++;
                escape(value);
            } else if (c == '\'' && peek(1) == '\'') {
                at++;
                value.append('\'');
            } else if (c == '\'') {
                at++;
                return value.toString();
            } else {
                value.append(c);
            }
        }
    }

    private void escape(StringBuilder value) {
        char c = text.charAt(at);
        switch (c) {
            case 'n' -> value.append('\n');
            case 't' -> value.append('\t');
            case 'r' -> value.append('\r');
            case 'b' -> value.append('\b');
            case 'f' -> value.append('\f');
            case 'u' -> unicode(value, 4);
            case 'U' -> unicode(value, 8);
            case 'x' -> code(value, 16, 2);
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                at--;
                code(value, 8, 3);
            }
            default -> value.append(c);
        }
    }

    /** A character given by the digits that follow; without digits, the letter {@code x} itself. */
    private void code(StringBuilder value, int base, int digitsMax) {
        int code = 0;
        int digits = 0;
        while (digits < digitsMax && Character.digit(peek(1), base) >= 0) {
            code = code * base + Character.digit(peek(1), base);
            at++;
            digits++;
        }
        value.append(digits == 0 ? 'x' : (char) code);
    }

    private void unicode(StringBuilder value, int digits) {
        try {
            value.appendCodePoint(Integer.parseInt(text.substring(at + 1, at + 1 + digits), 16));
            at += digits;
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException bad) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "invalid Unicode escape", at - 1);
        }
    }

    private void number() {
        int start = at;
        digits();
        if (peek(0) == '.' && peek(1) != '.') {
            at++;
            digits();
        }
        char c = peek(0);
        boolean signed = peek(1) == '+' || peek(1) == '-';
        if ((c == 'e' || c == 'E') && isDigit(peek(signed ? 2 : 1))) {
            at += signed ? 2 : 1;
            digits();
        }
        if (isNameStart(peek(0))) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "trailing junk after a number", start);
        }
        add(Token.Kind.NUMBER, text.substring(start, at), start);
    }

    private void digits() {
        while (isDigit(peek(0)) || (peek(0) == '_' && isDigit(peek(1)))) {
            at++;
        }
    }

    /** A numbered parameter, or a string between dollar tags. */
    private void dollar() {
        int start = at;
        if (isDigit(peek(1))) {
            at++;
            digits();
            add(Token.Kind.PARAMETER, text.substring(start, at), start);
            return;
        }
        int tagEnd = at + 1;
        while (tagEnd < text.length() && isNamePart(text.charAt(tagEnd)) && text.charAt(tagEnd) != '$') {
            tagEnd++;
        }
        if (tagEnd >= text.length() || text.charAt(tagEnd) != '$') {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "syntax error at \"$\"", start);
        }
        String tag = text.substring(at, tagEnd + 1);
        int close = text.indexOf(tag, tagEnd + 1);
        if (close < 0) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "unterminated string", start);
        }
        at = close + tag.length();
        add(Token.Kind.STRING, text.substring(tagEnd + 1, close), start);
    }

    private void symbol(char c) {
        int start = at;
        if (c == ':' && (peek(1) == ':' || peek(1) == '=')) {
            at += 2;
        } else if (SINGLE_CHARS.indexOf(c) >= 0) {
            at++;
        } else if (OPERATOR_CHARS.indexOf(c) >= 0) {
            at++;
            while (OPERATOR_CHARS.indexOf(peek(0)) >= 0 && peek(0) != '\0' && !isBoundary(start)) {
                at++;
            }
        } else {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "syntax error at \"" + text.substring(at, at + 1) + "\"", start);
        }
        add(Token.Kind.SYMBOL, text.substring(start, at), start);
    }

    /** Whether an operator ends here although an operator character follows: a comment or a sign begins. */
    private boolean isBoundary(int start) {
        char next = peek(0);
        boolean comment = (next == '-' && peek(1) == '-') || (next == '/' && peek(1) == '*');
        boolean sign =
                (next == '-' || next == '+') && !text.substring(start, at).matches(".*[~!@#%^&|`].*");
        boolean joined = next == '>' && text.charAt(start) == '-';
        return comment || (sign && !joined);
    }
}
