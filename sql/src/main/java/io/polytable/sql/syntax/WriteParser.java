package io.polytable.sql.syntax;

import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Parser of INSERT, UPDATE, DELETE and TRUNCATE. */
final class WriteParser {
    private final Tokens tokens;
    private final QueryParser queries;
    private final Statement.With with;

    WriteParser(Tokens tokens, QueryParser queries, Statement.With with) {
        this.tokens = tokens;
        this.queries = queries;
        this.with = with;
    }

    Statement parse() {
        int first = tokens.index();
        Token word = tokens.next();
        return switch (word.text()) {
            case "insert", "upsert" -> insert();
            case "update" -> update(first);
            case "delete" -> delete(first);
            default -> truncate();
        };
    }

    private Statement insert() {
        tokens.expect("into");
        Name table = tokens.qualifiedName();
        Optional<String> alias = tokens.take("as") ? Optional.of(tokens.anyName()) : Optional.empty();
        List<String> columns = hasColumns() ? tokens.names() : List.of();
        Statement.Source source = source();
        Optional<Statement.OnConflict> conflict = tokens.areNext("on") ? Optional.of(onConflict()) : Optional.empty();
        return new Statement.Insert(table, alias, columns, source, conflict, returning());
    }

    private boolean hasColumns() {
        Token next = tokens.ahead(1);
        return tokens.current().isSymbol("(") && next.isName() && !next.isWord("select") && !next.isWord("with");
    }

    private Statement.Source source() {
        boolean rows = tokens.areNext("default", "values") || tokens.areNext("values");
        if (rows && !with.ctes().isEmpty()) {
            throw new SqlError(SqlCode.UNSUPPORTED, "WITH before INSERT needs a query, not VALUES", tokens.position());
        }
        if (tokens.take("default", "values")) {
            return new Statement.Source.Defaults();
        }
        return tokens.take("values")
                ? new Statement.Source.Rows(rows())
                : new Statement.Source.Selected(with.before(queries.whole()));
    }

    private List<List<Optional<Expression>>> rows() {
        List<List<Optional<Expression>>> rows = new ArrayList<>();
        do {
            tokens.expectSymbol("(");
            List<Optional<Expression>> row = new ArrayList<>();
            do {
                row.add(value());
            } while (tokens.takeSymbol(","));
            tokens.expectSymbol(")");
            rows.add(row);
        } while (tokens.takeSymbol(","));
        return rows;
    }

    /** An expression; empty for DEFAULT. */
    private Optional<Expression> value() {
        boolean isDefault = tokens.current().isWord("default")
                && (tokens.ahead(1).isSymbol(",")
                        || tokens.ahead(1).isSymbol(")")
                        || tokens.ahead(1).kind() == Token.Kind.END
                        || tokens.ahead(1).kind() == Token.Kind.WORD);
        if (isDefault) {
            tokens.next();
            return Optional.empty();
        }
        int from = tokens.index();
        Expression value = queries.expressions().parse();
        queries.requireShort(from);
        return Optional.of(value);
    }

    private Statement.OnConflict onConflict() {
        int position = tokens.position();
        tokens.expect("on", "conflict");
        List<String> target = tokens.current().isSymbol("(") ? tokens.names() : List.of();
        Optional<String> constraint =
                target.isEmpty() && tokens.take("on", "constraint") ? Optional.of(tokens.anyName()) : Optional.empty();
        tokens.expect("do");
        if (tokens.take("nothing")) {
            return new Statement.OnConflict(target, constraint, List.of(), Optional.empty(), position);
        }
        tokens.expect("update", "set");
        if (target.isEmpty() && constraint.isEmpty()) {
            throw new SqlError(
                    SqlCode.SYNTAX_ERROR,
                    "ON CONFLICT DO UPDATE requires inference specification or constraint name",
                    position);
        }
        List<Statement.Assignment> assignments = assignments();
        return new Statement.OnConflict(target, constraint, assignments, where(), position);
    }

    private List<Statement.Assignment> assignments() {
        List<Statement.Assignment> assignments = new ArrayList<>();
        do {
            if (tokens.current().isSymbol("(")) {
                rowAssignment(assignments);
                continue;
            }
            int position = tokens.position();
            String column = tokens.name();
            if (tokens.takeSymbol(".")) {
                column = tokens.anyName();
            }
            tokens.expectSymbol("=");
            assignments.add(new Statement.Assignment(column, value(), position));
        } while (tokens.takeSymbol(","));
        return assignments;
    }

    /** {@code (a, b) = (1, 2)}, or {@code = (SELECT ...)}. */
    private void rowAssignment(List<Statement.Assignment> assignments) {
        int position = tokens.position();
        List<String> columns = tokens.names();
        tokens.expectSymbol("=");
        if (queries.expressions().isSubqueryNext()) {
            queryAssignment(assignments, columns, position);
            return;
        }
        tokens.take("row");
        tokens.expectSymbol("(");
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0) {
                tokens.expectSymbol(",");
            }
            assignments.add(new Statement.Assignment(columns.get(i), value(), position));
        }
        tokens.expectSymbol(")");
    }

    /** Assigns the columns of a query's row. Each assignment selects one column of a query of its own. */
    private void queryAssignment(List<Statement.Assignment> assignments, List<String> columns, int position) {
        int from = tokens.index();
        int parameters = tokens.parametersTaken();
        for (int i = 0; i < columns.size(); i++) {
            tokens.back(from);
            tokens.parametersTaken(parameters);
            At at = queries.at();
            Query one = columnOf(queries.expressions().subquery(), i, columns.size());
            Expression value = new Expression.Subquery(Expression.Subquery.Form.SCALAR, one, at);
            assignments.add(new Statement.Assignment(columns.get(i), Optional.of(value), position));
        }
        queries.requireShort(from);
    }

    private static Query columnOf(Query query, int column, int columns) {
        List<String> names = IntStream.range(0, columns).mapToObj(i -> "c" + i).toList();
        Query.Item unknown = new Query.Item(
                new Expression.Constant(Expression.Constant.Kind.NULL, "", At.NOWHERE), Optional.empty());
        // The second part has no rows; it makes a query with another number of columns an error.
        Query.Select noRows = Query.Select.of(
                        names.stream().map(name -> unknown).toList(), Optional.empty())
                .where(new Expression.Constant(Expression.Constant.Kind.BOOLEAN, "false", At.NOWHERE));
        Query.Body checked =
                new Query.SetOperation(Query.Combination.UNION, true, false, List.of(new Query.Nested(query), noRows));
        Source rows =
                new Source.Derived(Query.of(checked), false, new Source.Alias(Optional.of("r"), names), query.at());
        Expression value = new Expression.Column(names.get(column), query.at());
        return Query.of(Query.Select.of(List.of(new Query.Item(value, Optional.empty())), Optional.of(rows)));
    }

    private Statement update(int first) {
        Name table = tokens.qualifiedName();
        Optional<String> alias = StatementParser.alias(tokens);
        tokens.expect("set");
        List<Statement.Assignment> assignments = assignments();
        Statement.Rows rows = rows(table, alias, "from", first);
        return new Statement.Update(rows, assignments, returning());
    }

    private Statement delete(int first) {
        tokens.expect("from");
        Name table = tokens.qualifiedName();
        Optional<String> alias = StatementParser.alias(tokens);
        Statement.Rows rows = rows(table, alias, "using", first);
        return new Statement.Delete(rows, returning());
    }

    private Statement.Rows rows(Name table, Optional<String> alias, String word, int first) {
        Optional<Source> others =
                tokens.take(word) ? Optional.of(new SourceParser(tokens, queries).list()) : Optional.empty();
        return new Statement.Rows(with, table, alias, others, where(), tokens.index() - first);
    }

    private Statement truncate() {
        tokens.take("table");
        List<Name> tables = new ArrayList<>();
        do {
            tables.add(tokens.qualifiedName());
        } while (tokens.takeSymbol(","));
        return new Statement.Truncate(tables);
    }

    private Optional<Expression> where() {
        return tokens.take("where") ? Optional.of(queries.expressions().parse()) : Optional.empty();
    }

    private List<Query.Item> returning() {
        return tokens.take("returning") ? queries.items() : List.of();
    }
}
