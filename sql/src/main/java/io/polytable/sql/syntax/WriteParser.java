package io.polytable.sql.syntax;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Parser of INSERT, UPDATE, DELETE and TRUNCATE. */
final class WriteParser {
    private static final Set<String> QUERY_WORDS = Set.of("select", "with", "values", "table");

    private final Tokens tokens;
    private final Clauses clauses;

    WriteParser(Tokens tokens) {
        this.tokens = tokens;
        clauses = new Clauses(tokens);
    }

    Statement parse() {
        Token first = tokens.next();
        return switch (first.text()) {
            case "insert", "upsert" -> insert();
            case "update" -> update();
            case "delete" -> delete();
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
        if (tokens.take("default", "values")) {
            return new Statement.Source.Defaults();
        }
        if (tokens.take("values")) {
            return new Statement.Source.Rows(rows());
        }
        int from = tokens.index();
        Tokens query = tokens.untilWords(Set.of("on", "returning"));
        if (tokens.index() == from) {
            throw tokens.unexpected();
        }
        return new Statement.Source.Query(new SelectParser(query).parse());
    }

    private List<List<Optional<Fragment>>> rows() {
        List<List<Optional<Fragment>>> rows = new ArrayList<>();
        do {
            tokens.expectSymbol("(");
            List<Optional<Fragment>> row = new ArrayList<>();
            do {
                row.add(value());
            } while (tokens.takeSymbol(","));
            tokens.expectSymbol(")");
            rows.add(row);
        } while (tokens.takeSymbol(","));
        return rows;
    }

    private Optional<Fragment> value() {
        boolean isDefault = tokens.current().isWord("default")
                && (tokens.ahead(1).isSymbol(",")
                        || tokens.ahead(1).isSymbol(")")
                        || tokens.ahead(1).kind() == Token.Kind.END
                        || tokens.ahead(1).kind() == Token.Kind.WORD);
        if (isDefault) {
            tokens.next();
            return Optional.empty();
        }
        return Optional.of(clauses.fragment());
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
        boolean query = tokens.ahead(1).kind() == Token.Kind.WORD
                && QUERY_WORDS.contains(tokens.ahead(1).text());
        if (tokens.current().isSymbol("(") && query) {
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

    /** Assigns the columns of a query's row. Each assignment selects one column of the same query. */
    private void queryAssignment(List<Statement.Assignment> assignments, List<String> columns, int position) {
        int parameters = tokens.parametersTaken();
        Fragment query = clauses.fragment();
        if (tokens.parametersTaken() > parameters) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED, "a query for several columns takes parameters as $1, not as ?", position);
        }
        String names = IntStream.range(0, columns.size()).mapToObj(i -> "c" + i).collect(Collectors.joining(", "));
        // The second branch has no rows; it makes a query with another number of columns an error.
        String nulls = IntStream.range(0, columns.size()).mapToObj(i -> "NULL").collect(Collectors.joining(", "));
        String checked = "(" + query.text() + " UNION ALL SELECT " + nulls + " WHERE false)";
        for (int i = 0; i < columns.size(); i++) {
            String one = "SELECT c" + i + " FROM " + checked + " AS r (" + names + ")";
            Fragment value = new Fragment(one, query.position(), null);
            assignments.add(new Statement.Assignment(columns.get(i), Optional.of(value), position));
        }
    }

    private Statement update() {
        Name table = tokens.qualifiedName();
        Optional<String> alias = StatementParser.alias(tokens);
        tokens.expect("set");
        List<Statement.Assignment> assignments = assignments();
        Optional<Fragment> from = tokens.take("from") ? Optional.of(clauses.tables()) : Optional.empty();
        return new Statement.Update(table, alias, assignments, from, where(), returning());
    }

    private Statement delete() {
        tokens.expect("from");
        Name table = tokens.qualifiedName();
        Optional<String> alias = StatementParser.alias(tokens);
        Optional<Fragment> using = tokens.take("using") ? Optional.of(clauses.tables()) : Optional.empty();
        return new Statement.Delete(table, alias, using, where(), returning());
    }

    private Statement truncate() {
        tokens.take("table");
        List<Name> tables = new ArrayList<>();
        do {
            tables.add(tokens.qualifiedName());
        } while (tokens.takeSymbol(","));
        return new Statement.Truncate(tables);
    }

    private Optional<Fragment> where() {
        return tokens.take("where") ? Optional.of(clauses.fragment()) : Optional.empty();
    }

    private Optional<List<Statement.Item>> returning() {
        return tokens.take("returning") ? Optional.of(clauses.items()) : Optional.empty();
    }
}
