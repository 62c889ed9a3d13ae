package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** A cursor over tokens, with the operations that all parsers share. */
final class Tokens {
    /** Keywords that may follow a list or an expression, and so cannot be an unquoted name or alias there. */
    private static final Set<String> RESERVED = Set.of(
            "select",
            "from",
            "where",
            "group",
            "having",
            "order",
            "limit",
            "offset",
            "fetch",
            "union",
            "intersect",
            "except",
            "with",
            "window",
            "on",
            "using",
            "join",
            "inner",
            "left",
            "right",
            "full",
            "cross",
            "natural",
            "and",
            "or",
            "not",
            "in",
            "is",
            "like",
            "ilike",
            "between",
            "case",
            "when",
            "then",
            "else",
            "end",
            "as",
            "returning",
            "set",
            "values",
            "into",
            "distinct",
            "all",
            "null",
            "true",
            "false",
            "default",
            "create",
            "table",
            "primary",
            "references",
            "unique",
            "check",
            "constraint",
            "for",
            "desc",
            "asc",
            "to",
            "do",
            "cast",
            "both",
            "leading",
            "trailing",
            "any",
            "some",
            "array",
            "collate",
            "lateral",
            "tablesample");

    final String text;
    private final List<Token> tokens;
    private int at;

    /** For each parenthesis the index of the one that closes it; empty until it is asked for. */
    private int[] closings = new int[0];

    /** The number of {@code ?} parameters so far. */
    private int parameters;

    Tokens(String text, List<Token> tokens) {
        this.text = text;
        this.tokens = tokens;
    }

    static boolean isReserved(String word) {
        return RESERVED.contains(word);
    }

    Token current() {
        return tokens.get(at);
    }

    Token ahead(int count) {
        return tokens.get(Math.min(at + count, tokens.size() - 1));
    }

    /** The token of an index; the last one for any index behind it. */
    Token token(int index) {
        return tokens.get(Math.min(index, tokens.size() - 1));
    }

    /** The index of the symbol that closes the parenthesis at an index; that of the end if none does. */
    int closing(int index) {
        if (closings.length == 0) {
            closings = new int[tokens.size()];
            Arrays.fill(closings, tokens.size() - 1);
            Deque<Integer> open = new ArrayDeque<>();
            for (int i = 0; i < closings.length; i++) {
                Token token = tokens.get(i);
                if (token.isSymbol("(")) {
                    open.push(i);
                } else if (token.isSymbol(")") && !open.isEmpty()) {
                    closings[open.pop()] = i;
                }
            }
        }
        return closings[index];
    }

    Token previous() {
        return tokens.get(at - 1);
    }

    Token next() {
        Token token = current();
        if (token.kind() != Token.Kind.END) {
            at++;
        }
        return token;
    }

    int index() {
        return at;
    }

    void back(int index) {
        at = index;
    }

    int position() {
        return current().start();
    }

    boolean atEnd() {
        return current().kind() == Token.Kind.END;
    }

    int takeParameter() {
        return parameters++;
    }

    int parametersTaken() {
        return parameters;
    }

    void parametersTaken(int count) {
        parameters = count;
    }

    /** Whether the next tokens are these words. */
    boolean areNext(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (!ahead(i).isWord(words[i])) {
                return false;
            }
        }
        return true;
    }

    /** Consumes the words if all of them come next. */
    boolean take(String... words) {
        if (!areNext(words)) {
            return false;
        }
        at += words.length;
        return true;
    }

    boolean takeSymbol(String symbol) {
        if (!current().isSymbol(symbol)) {
            return false;
        }
        at++;
        return true;
    }

    void expect(String... words) {
        for (String word : words) {
            if (!take(word)) {
                throw unexpected();
            }
        }
    }

    void expectSymbol(String symbol) {
        if (!takeSymbol(symbol)) {
            throw unexpected();
        }
    }

    String name() {
        Token token = current();
        if (token.kind() == Token.Kind.QUOTED || (token.kind() == Token.Kind.WORD && !isReserved(token.text()))) {
            return next().text();
        }
        throw unexpected();
    }

    /** A name that may be any word, reserved ones too: for places where only a name is possible. */
    String anyName() {
        if (!current().isName()) {
            throw unexpected();
        }
        return next().text();
    }

    Name qualifiedName() {
        int start = position();
        // A namespace may be named like a keyword: only a name is possible before a dot.
        String first = ahead(1).isSymbol(".") ? anyName() : name();
        if (takeSymbol(".")) {
            return new Name(first, anyName(), start);
        }
        return new Name(null, first, start);
    }

    List<String> names() {
        expectSymbol("(");
        List<String> names = new ArrayList<>();
        do {
            names.add(anyName());
        } while (takeSymbol(","));
        expectSymbol(")");
        return names;
    }

    String string() {
        if (current().kind() != Token.Kind.STRING) {
            throw unexpected();
        }
        return next().text();
    }

    /** The text from the token at the index to the one before the current. */
    String textFrom(int index) {
        int start = tokens.get(index).start();
        return at == index ? "" : text.substring(start, previous().end());
    }

    int startOf(int index) {
        return tokens.get(index).start();
    }

    /** The tokens up to the parenthesis that closes the current one, which is left for the caller. */
    Tokens untilClosing() {
        List<Token> inner = new ArrayList<>();
        int depth = 0;
        while (!atEnd()) {
            depth += current().isSymbol("(") ? 1 : current().isSymbol(")") ? -1 : 0;
            if (depth < 0) {
                break;
            }
            inner.add(next());
        }
        inner.add(new Token(Token.Kind.END, "", position(), position()));
        return new Tokens(text, inner);
    }

    /** The remaining text. */
    String rest() {
        int from = at;
        while (!atEnd()) {
            at++;
        }
        return textFrom(from);
    }

    void expectEnd() {
        if (!atEnd()) {
            throw unexpected();
        }
    }

    /** The error for something that PostgreSQL has and we do not. */
    SqlError unsupported(String what) {
        return new SqlError(
                SqlCode.UNSUPPORTED, what + " is not supported", current().start());
    }

    SqlError unexpected() {
        Token token = current();
        String what = token.kind() == Token.Kind.END
                ? "syntax error at end of input"
                : "syntax error at or near \""
                        + text.substring(token.start(), Math.min(token.end(), token.start() + 60)) + "\"";
        return new SqlError(SqlCode.SYNTAX_ERROR, what, token.start());
    }
}
