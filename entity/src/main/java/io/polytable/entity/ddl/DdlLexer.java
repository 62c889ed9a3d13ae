package io.polytable.entity.ddl;

import io.polytable.entity.ddl.Token.Kind;
import io.polytable.entity.ddl.Token.Position;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Splits text into tokens. A double quote, a brace or a bracket starts a JSON value, which is one token: nothing else in the
 * language is written with them. Comments run from {@code --} or {@code #} to the end of the line.
 */
final class DdlLexer {
    static final int LENGTH_MAX = 8 << 20;

    private final String text;
    private int at;
    private int line = 1;
    private int lineStart;

    private DdlLexer(String text) {
        this.text = text;
    }

    /** All tokens, the last being the end; {@link EntityError#BAD_REQUEST} with line and column where there is none. */
    static List<Token> tokens(String text) {
        try {
            return split(text);
        } catch (Unfinished e) {
            throw e.refusal;
        }
    }

    private static List<Token> split(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new EntityException(EntityError.TOO_LARGE, "A script is too long", Map.of("length", text.length()));
        }
        DdlLexer lexer = new DdlLexer(text);
        List<Token> tokens = new ArrayList<>();
        Token next;
        do {
            next = lexer.next();
            tokens.add(next);
        } while (next.kind() != Kind.END);
        return tokens;
    }

    /** Whether the text ends inside a statement, string or JSON value: a shell then reads another line. */
    static boolean isOpen(String text) {
        try {
            List<Token> tokens = split(text);
            return tokens.size() > 1 && !tokens.get(tokens.size() - 2).isSymbol(';');
        } catch (Unfinished e) {
            return true;
        } catch (EntityException e) {
            return false;
        }
    }

    /** The text ended inside a token. */
    private static final class Unfinished extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient EntityException refusal;

        Unfinished(EntityException refusal) {
            super(refusal);
            this.refusal = refusal;
        }
    }

    private Token next() {
        skipBlanks();
        Position position = position();
        if (at >= text.length()) {
            return new Token(Kind.END, "", position);
        }
        char first = text.charAt(at);
        if (first == '\'') {
            return new Token(Kind.STRING, string(position), position);
        }
        if (first == '"' || first == '{' || first == '[') {
            return new Token(Kind.JSON, json(position), position);
        }
        if (isWordStart(first)) {
            return new Token(Kind.WORD, run(), position);
        }
        if (Character.digit(first, 10) >= 0) {
            return new Token(Kind.NUMBER, run(), position);
        }
        if ("(),;:=.-*".indexOf(first) >= 0) {
            advance();
            return new Token(Kind.SYMBOL, String.valueOf(first), position);
        }
        throw error("Not a character of the language", position, String.valueOf(first));
    }

    private Position position() {
        return new Position(line, at - lineStart + 1);
    }

    private void advance() {
        if (text.charAt(at) == '\n') {
            line++;
            lineStart = at + 1;
        }
        at++;
    }

    private void skipBlanks() {
        while (at < text.length()) {
            boolean isComment = text.startsWith("--", at) || text.charAt(at) == '#';
            if (isComment) {
                while (at < text.length() && text.charAt(at) != '\n') {
                    at++;
                }
            } else if (Character.isWhitespace(text.charAt(at))) {
                advance();
            } else {
                return;
            }
        }
    }

    private static boolean isWordStart(char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private String run() {
        int start = at;
        while (at < text.length() && (isWordStart(text.charAt(at)) || Character.digit(text.charAt(at), 10) >= 0)) {
            at++;
        }
        return text.substring(start, at);
    }

    /** A doubled quote stands for one; a backslash takes the next character, n and t being a line end and a tab. */
    private String string(Position start) {
        StringBuilder value = new StringBuilder();
        advance();
        while (at < text.length()) {
            char c = text.charAt(at);
            advance();
            if (c == '\'') {
                if (at >= text.length() || text.charAt(at) != '\'') {
                    return value.toString();
                }
                advance();
            } else if (c == '\\' && at < text.length()) {
                c = text.charAt(at);
                advance();
                c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
            }
            value.append(c);
        }
        throw new Unfinished(error("A string has no end", start, "'"));
    }

    private String json(Position start) {
        int from = at;
        int depth = 0;
        do {
            if (at >= text.length()) {
                throw new Unfinished(error("A JSON value has no end", start, text.substring(from, from + 1)));
            }
            char c = text.charAt(at);
            advance();
            if (c == '"') {
                skipJsonString(start);
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            }
        } while (depth > 0);
        return text.substring(from, at);
    }

    private void skipJsonString(Position start) {
        while (at < text.length()) {
            char c = text.charAt(at);
            advance();
            if (c == '"') {
                return;
            }
            if (c == '\\' && at < text.length()) {
                advance();
            }
        }
        throw new Unfinished(error("A JSON value has no end", start, "\""));
    }

    /** A refusal that says where. */
    static EntityException error(String reason, Position at, String found) {
        return new EntityException(
                EntityError.BAD_REQUEST, reason, Map.of("line", at.line(), "column", at.column(), "found", found));
    }
}
