package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parser of expressions inside statements: those that we evaluate ourselves are parsed, all others stay text. */
final class Clauses {
    private static final Set<String> CLAUSE_WORDS = Set.of(
            "from",
            "where",
            "returning",
            "on",
            "using",
            "set",
            "group",
            "having",
            "order",
            "limit",
            "offset",
            "fetch",
            "union",
            "intersect",
            "except",
            "window",
            "with",
            "references",
            "constraint",
            "primary",
            "unique",
            "check",
            "into",
            "qualify",
            "for");

    private final Tokens tokens;

    Clauses(Tokens tokens) {
        this.tokens = tokens;
    }

    /** An expression that ends at a comma, a closing parenthesis or a keyword that begins another clause. */
    Fragment fragment() {
        return fragment(Set.of());
    }

    /** As {@link #fragment()}; these words end it as well. */
    Fragment fragment(Set<String> alsoEnds) {
        int from = tokens.index();
        int parameters = tokens.parametersTaken();
        Optional<Expr> expr = tryExpr();
        if (expr.isPresent() && isEnd(alsoEnds)) {
            return new Fragment(tokens.textFrom(from), tokens.startOf(from), expr.get());
        }
        tokens.back(from);
        tokens.parametersTaken(parameters);
        skip(alsoEnds);
        if (tokens.index() == from) {
            throw tokens.unexpected();
        }
        return new Fragment(tokens.textFrom(from), tokens.startOf(from), null);
    }

    private Optional<Expr> tryExpr() {
        try {
            return Optional.of(new ExprParser(tokens).parse());
        } catch (ExprParser.Beyond | SqlError notOurs) {
            return Optional.empty();
        }
    }

    private boolean isEnd(Set<String> alsoEnds) {
        Token token = tokens.current();
        return switch (token.kind()) {
            case END -> true;
            case SYMBOL -> token.isSymbol(",") || token.isSymbol(")") || token.isSymbol(";");
            case WORD -> isClauseWord(token, alsoEnds);
            case QUOTED, STRING, NUMBER, PARAMETER -> false;
        };
    }

    private boolean isClauseWord(Token token, Set<String> alsoEnds) {
        if (alsoEnds.contains(token.text())) {
            return true;
        }
        boolean distinctFrom =
                token.isWord("from") && tokens.index() > 0 && tokens.previous().isWord("distinct");
        return CLAUSE_WORDS.contains(token.text()) && !distinctFrom;
    }

    /** Skips to the end of the expression, over balanced parentheses and brackets. */
    private void skip(Set<String> alsoEnds) {
        int depth = 0;
        int cases = 0;
        while (!tokens.atEnd()) {
            Token token = tokens.current();
            if (depth == 0 && cases == 0 && isEnd(alsoEnds)) {
                return;
            }
            if (token.isSymbol("(") || token.isSymbol("[") || token.isSymbol("{")) {
                depth++;
            } else if (token.isSymbol(")") || token.isSymbol("]") || token.isSymbol("}")) {
                if (--depth < 0) {
                    return;
                }
            } else if (token.isWord("case")) {
                cases++;
            } else if (token.isWord("end") && cases > 0) {
                cases--;
            } else if (token.kind() == Token.Kind.PARAMETER && token.text().equals("?")) {
                tokens.takeParameter();
            }
            tokens.next();
        }
    }

    /** A list of tables, kept as text: only DuckDB parses it. */
    Fragment tables() {
        int from = tokens.index();
        int depth = 0;
        while (!tokens.atEnd()) {
            Token token = tokens.current();
            if (depth == 0 && (token.isWord("where") || token.isWord("returning") || token.isSymbol(";"))) {
                break;
            }
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            if (token.kind() == Token.Kind.PARAMETER && token.text().equals("?")) {
                tokens.takeParameter();
            }
            tokens.next();
        }
        if (tokens.index() == from) {
            throw tokens.unexpected();
        }
        return new Fragment(tokens.textFrom(from), tokens.startOf(from), null);
    }

    /** The list of SELECT or RETURNING. */
    List<Statement.Item> items() {
        List<Statement.Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (tokens.takeSymbol(","));
        return items;
    }

    private Statement.Item item() {
        if (tokens.current().isSymbol("*")) {
            tokens.next();
            return new Statement.Item(Optional.empty(), Optional.empty());
        }
        Fragment value = fragmentBeforeAlias();
        if (tokens.take("as")) {
            return new Statement.Item(Optional.of(value), Optional.of(tokens.anyName()));
        }
        boolean bare = tokens.current().kind() == Token.Kind.QUOTED
                || (tokens.current().kind() == Token.Kind.WORD && !isClauseWord(tokens.current(), Set.of()));
        return new Statement.Item(Optional.of(value), bare ? Optional.of(tokens.anyName()) : Optional.empty());
    }

    private Fragment fragmentBeforeAlias() {
        int from = tokens.index();
        int parameters = tokens.parametersTaken();
        Optional<Expr> expr = tryExpr();
        if (expr.isPresent() && tokens.index() > from) {
            boolean alias = tokens.current().isWord("as") || tokens.current().isName();
            if (isEnd(Set.of()) || alias) {
                return new Fragment(tokens.textFrom(from), tokens.startOf(from), expr.get());
            }
        }
        tokens.back(from);
        tokens.parametersTaken(parameters);
        return fragment(Set.of("as"));
    }
}
