package io.polytable.sql.syntax;

import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Parser of the body of CREATE TABLE: columns, constraints, options. */
final class TableParser {
    private final Tokens tokens;
    private final QueryParser queries;

    private final List<Statement.ColumnClause> columns = new ArrayList<>();
    private final List<List<String>> uniques = new ArrayList<>();
    private final List<Fragment> checks = new ArrayList<>();
    private List<String> primaryKey = List.of();

    TableParser(Tokens tokens, QueryParser queries) {
        this.tokens = tokens;
        this.queries = queries;
    }

    Statement createTable(TableKind kind) {
        boolean ifNotExists = tokens.take("if", "not", "exists");
        Name name = tokens.qualifiedName();
        if (tokens.takeSymbol("(")) {
            do {
                element();
            } while (tokens.takeSymbol(","));
            tokens.expectSymbol(")");
        }
        Map<String, String> options = tokens.take("with") ? options() : Map.of();
        TableKind typed = kindFrom(options).orElse(kind);
        Optional<Query> source = tokens.take("as") ? Optional.of(queries.whole()) : Optional.empty();
        if (columns.isEmpty() && source.isEmpty()) {
            throw tokens.unexpected();
        }
        return new Statement.CreateTable(
                typed, name, ifNotExists, columns, primaryKey, uniques, checks, options, source);
    }

    private static Optional<TableKind> kindFrom(Map<String, String> options) {
        String type = options.get("type");
        if (type == null) {
            return Optional.empty();
        }
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "user" -> Optional.of(TableKind.USER);
            case "shared" -> Optional.of(TableKind.SHARED);
            case "stream" -> Optional.of(TableKind.STREAM);
            default ->
                throw new SqlError(SqlCode.INVALID_DEFINITION, "TYPE is USER, SHARED or STREAM, not '" + type + "'");
        };
    }

    private void element() {
        if (tokens.take("constraint")) {
            tokens.anyName();
        }
        if (tokens.take("primary", "key")) {
            if (!primaryKey.isEmpty()) {
                throw new SqlError(
                        SqlCode.INVALID_DEFINITION,
                        "a table has one primary key",
                        tokens.previous().start());
            }
            primaryKey = tokens.names();
        } else if (tokens.areNext("unique") && tokens.ahead(1).isSymbol("(")) {
            tokens.next();
            uniques.add(tokens.names());
        } else if (tokens.areNext("check") && tokens.ahead(1).isSymbol("(")) {
            tokens.next();
            checks.add(parenthesized());
        } else {
            columns.add(column());
        }
    }

    /** An expression and its text. */
    Fragment fragment() {
        int from = tokens.index();
        Expression value = queries.expressions().parse();
        queries.requireShort(from);
        return new Fragment(tokens.textFrom(from), tokens.startOf(from), value);
    }

    Fragment parenthesized() {
        tokens.expectSymbol("(");
        Fragment fragment = fragment();
        tokens.expectSymbol(")");
        return fragment;
    }

    Statement.ColumnClause column() {
        int position = tokens.position();
        String name = tokens.anyName();
        SqlType type = type();
        Constraints constraints = new Constraints();
        while (constraints.takeNext()) {
            // Each call consumes one constraint.
        }
        return new Statement.ColumnClause(
                name,
                type,
                constraints.notNull,
                constraints.defaultValue,
                constraints.primaryKey,
                constraints.unique,
                constraints.check,
                constraints.comment,
                position);
    }

    private SqlType type() {
        SqlType type = TypeParser.parse(tokens);
        if (tokens.current().isSymbol("[")) {
            throw new SqlError(SqlCode.UNSUPPORTED, "columns cannot be arrays: use JSON", tokens.position());
        }
        return type;
    }

    /** The column constraints, which may follow the type in any order. */
    private final class Constraints {
        private boolean notNull;
        private boolean primaryKey;
        private boolean unique;
        private Optional<Fragment> defaultValue = Optional.empty();
        private Optional<Fragment> check = Optional.empty();
        private Optional<String> comment = Optional.empty();

        boolean takeNext() {
            if (tokens.take("constraint")) {
                tokens.anyName();
                return true;
            }
            if (tokens.take("not", "null")) {
                notNull = true;
                return true;
            }
            if (tokens.take("null")) {
                return true;
            }
            if (tokens.take("primary", "key")) {
                primaryKey = true;
                return true;
            }
            if (tokens.take("unique")) {
                unique = true;
                return true;
            }
            return takeValue();
        }

        private boolean takeValue() {
            if (tokens.take("default")) {
                defaultValue = Optional.of(fragment());
                return true;
            }
            if (tokens.take("check")) {
                check = Optional.of(parenthesized());
                return true;
            }
            if (tokens.take("comment")) {
                comment = Optional.of(tokens.string());
                return true;
            }
            return false;
        }
    }

    /** {@code (name = value, ...)}; a value is a string, a number or a word. */
    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        tokens.expectSymbol("(");
        do {
            StringBuilder name = new StringBuilder(tokens.anyName());
            while (tokens.takeSymbol(".")) {
                name.append('.').append(tokens.anyName());
            }
            tokens.expectSymbol("=");
            options.put(name.toString().toLowerCase(Locale.ROOT), optionValue());
        } while (tokens.takeSymbol(","));
        tokens.expectSymbol(")");
        return options;
    }

    private String optionValue() {
        Token token = tokens.current();
        return switch (token.kind()) {
            case STRING, NUMBER, WORD, QUOTED -> tokens.next().text();
            case PARAMETER, SYMBOL, END -> throw tokens.unexpected();
        };
    }
}
