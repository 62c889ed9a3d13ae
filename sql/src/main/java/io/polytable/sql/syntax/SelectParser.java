package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parser of queries: keeps the text of every query, and parses those that are simple enough to run without DuckDB. */
final class SelectParser {
    private final Tokens tokens;

    SelectParser(Tokens tokens) {
        this.tokens = tokens;
    }

    Statement.Select parse() {
        int from = tokens.index();
        Optional<Statement.SimpleSelect> simple = trySimple();
        tokens.back(from);
        int position = tokens.position();
        return new Statement.Select(tokens.query(), position, simple);
    }

    private Optional<Statement.SimpleSelect> trySimple() {
        if (!tokens.areNext("select") || tokens.ahead(1).isWord("distinct")) {
            return Optional.empty();
        }
        try {
            return simple();
        } catch (ExprParser.Beyond | SqlError notOurs) {
            return Optional.empty();
        }
    }

    private Optional<Statement.SimpleSelect> simple() {
        tokens.next();
        List<Statement.Item> items = new Clauses(tokens).items();
        boolean known = items.stream()
                .allMatch(item -> item.isStar() || item.value().get().parsed() != null);
        if (!known || !tokens.take("from")) {
            return Optional.empty();
        }
        Name table = tokens.qualifiedName();
        Optional<String> alias = StatementParser.alias(tokens);
        Optional<Expr> where = tokens.take("where") ? Optional.of(new ExprParser(tokens).parse()) : Optional.empty();
        List<Statement.Order> orderBy = tokens.take("order", "by") ? orders() : List.of();
        Optional<Expr> limit = tokens.take("limit") ? Optional.of(new ExprParser(tokens).parse()) : Optional.empty();
        Optional<Expr> offset = tokens.take("offset") ? Optional.of(new ExprParser(tokens).parse()) : Optional.empty();
        if (!tokens.atEnd()) {
            return Optional.empty();
        }
        return Optional.of(new Statement.SimpleSelect(items, table, alias, where, orderBy, limit, offset));
    }

    private List<Statement.Order> orders() {
        List<Statement.Order> orders = new ArrayList<>();
        do {
            String column = tokens.name();
            if (tokens.takeSymbol(".")) {
                column = tokens.anyName();
            }
            boolean descending = tokens.take("desc");
            if (!descending) {
                tokens.take("asc");
            }
            orders.add(new Statement.Order(column, descending));
        } while (tokens.takeSymbol(","));
        return orders;
    }
}
