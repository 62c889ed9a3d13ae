package io.polytable.entity.ddl;

import io.polytable.entity.ddl.Token.Kind;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Names;
import java.util.List;
import java.util.Optional;

/** Reads tokens one after the other; syntax errors carry their position. */
final class TokenCursor {
    private final List<Token> tokens;
    private int at;

    TokenCursor(List<Token> tokens) {
        this.tokens = tokens;
    }

    Token peek() {
        return tokens.get(at);
    }

    Token take() {
        Token token = tokens.get(at);
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    boolean isAtEnd() {
        return peek().kind() == Kind.END;
    }

    /** Whether these keywords come next. */
    boolean isNext(String... keywords) {
        for (int i = 0; i < keywords.length; i++) {
            if (at + i >= tokens.size() || !tokens.get(at + i).isWord(keywords[i])) {
                return false;
            }
        }
        return true;
    }

    /** Takes the keywords if all of them come next. */
    boolean accept(String... keywords) {
        if (!isNext(keywords)) {
            return false;
        }
        at += keywords.length;
        return true;
    }

    boolean acceptSymbol(char symbol) {
        if (!peek().isSymbol(symbol)) {
            return false;
        }
        at++;
        return true;
    }

    void expect(String... keywords) {
        for (String keyword : keywords) {
            if (!accept(keyword)) {
                throw expected(keyword);
            }
        }
    }

    void expectSymbol(char symbol) {
        if (!acceptSymbol(symbol)) {
            throw expected(String.valueOf(symbol));
        }
    }

    EntityException expected(String what) {
        return DdlLexer.error("Expected " + what, peek().at(), peek().shown());
    }

    /** A name of a table, locality group, family or column; in quotes where it is also a keyword. */
    String name(String what) {
        Token token = peek();
        if (token.kind() != Kind.WORD && token.kind() != Kind.STRING) {
            throw expected("the name of a " + what);
        }
        if (!Names.isIdentifier(token.text())) {
            throw DdlLexer.error("Not a name of a " + what, token.at(), token.shown());
        }
        return take().text();
    }

    /** The name of an instance, which may start with a digit. */
    String instanceName() {
        Token token = peek();
        boolean fits = token.kind() == Kind.WORD || token.kind() == Kind.STRING || token.kind() == Kind.NUMBER;
        if (!fits) {
            throw expected("the name of an instance");
        }
        return Names.instance(take().text());
    }

    /** {@code family:qualifier}. */
    ColumnName column() {
        String family = name("family");
        expectSymbol(':');
        return ColumnName.of(family, name("column"));
    }

    String string(String what) {
        if (peek().kind() != Kind.STRING) {
            throw expected(what + " in single quotes");
        }
        return take().text();
    }

    long number(String what, long min, long max) {
        Token token = peek();
        if (token.kind() != Kind.NUMBER) {
            throw expected(what);
        }
        long value;
        try {
            value = Long.parseLong(token.text());
        } catch (NumberFormatException e) {
            throw DdlLexer.error("Not a number", token.at(), token.shown());
        }
        if (value < min || value > max) {
            throw DdlLexer.error("Not between " + min + " and " + max, token.at(), token.shown());
        }
        take();
        return value;
    }

    boolean flag() {
        if (accept("TRUE")) {
            return true;
        }
        if (accept("FALSE")) {
            return false;
        }
        throw expected("true or false");
    }

    /** A word that names one of the values, under its own or another spelling. */
    <E extends Enum<E>> E choice(Class<E> type, String what) {
        for (E value : type.getEnumConstants()) {
            if (accept(value.name())) {
                return value;
            }
        }
        throw expected(what);
    }

    /** {@code WITH DESCRIPTION 'text'}, if it comes next. */
    Optional<String> description() {
        return accept("WITH", "DESCRIPTION") ? Optional.of(string("a description")) : Optional.empty();
    }
}
