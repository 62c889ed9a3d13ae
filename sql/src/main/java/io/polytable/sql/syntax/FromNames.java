package io.polytable.sql.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Extracts the names by which expressions refer to the tables of a FROM clause: aliases, or else table names. */
public final class FromNames {
    private final Tokens tokens;
    private final List<String> names = new ArrayList<>();

    private FromNames(Tokens tokens) {
        this.tokens = tokens;
    }

    /** The names in order. Joins in parentheses are left out: they have no name of their own. */
    public static List<String> of(String from) {
        FromNames found = new FromNames(new Tokens(from, Lexer.tokens(from)));
        found.table();
        while (!found.tokens.atEnd()) {
            found.conditionOrTable();
        }
        return found.names;
    }

    /** The name of the table in {@code table.*}, in lower case unless it is quoted; empty if the text is something else. */
    public static Optional<String> ofStar(String text) {
        if (!text.endsWith("*")) {
            return Optional.empty();
        }
        List<Token> tokens = Lexer.tokens(text);
        boolean star = tokens.size() == 4
                && tokens.get(0).isName()
                && tokens.get(1).isSymbol(".")
                && tokens.get(2).isSymbol("*");
        return star ? Optional.of(tokens.get(0).text()) : Optional.empty();
    }

    private void conditionOrTable() {
        if (tokens.takeSymbol(",") || tokens.take("join")) {
            table();
        } else if (tokens.current().isSymbol("(")) {
            parentheses();
        } else {
            tokens.next();
        }
    }

    private void table() {
        if (!tokens.take("lateral")) {
            tokens.take("only");
        }
        String name = "";
        if (tokens.current().isSymbol("(")) {
            parentheses();
        } else {
            name = tokens.qualifiedName().name();
            if (tokens.current().isSymbol("(")) {
                parentheses();
            }
        }
        String alias = StatementParser.alias(tokens).orElse(name);
        if (tokens.current().isSymbol("(")) {
            parentheses();
        }
        if (!alias.isEmpty()) {
            names.add(alias);
        }
    }

    private void parentheses() {
        tokens.next();
        Tokens unusedInside = tokens.untilClosing();
        tokens.expectSymbol(")");
    }
}
