package io.polytable.sql.query.render;

import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Prints queries and the sources of FROM; {@link ExpressionRenderer} prints values. */
public final class Renderer {
    private final StringBuilder text = new StringBuilder();
    private final List<Rendered.Piece> pieces = new ArrayList<>();
    private final List<Integer> parameters = new ArrayList<>();
    private final ExpressionRenderer expressions = new ExpressionRenderer(this);

    private Renderer() {}

    /** The query as DuckDB's SQL. */
    public static Rendered render(Query query) {
        Renderer renderer = new Renderer();
        renderer.query(query);
        renderer.endPiece();
        return new Rendered(renderer.pieces, renderer.parameters);
    }

    private void endPiece() {
        if (text.indexOf("\0") >= 0) {
            // The text passes to DuckDB as a string of C, which ends there.
            throw new SqlError(SqlCode.INVALID_VALUE, "a text or name cannot contain the null character");
        }
        if (text.length() > 0) {
            pieces.add(new Rendered.Piece.Text(text.toString()));
            text.setLength(0);
        }
    }

    Renderer print(String more) {
        text.append(more);
        return this;
    }

    Renderer name(String name) {
        return print(Quoted.name(name));
    }

    /** Prints DuckDB's number of a parameter: numbers are given in the order of the text, without gaps. */
    void parameter(int number) {
        if (!parameters.contains(number)) {
            parameters.add(number);
        }
        print("$").print(Integer.toString(parameters.indexOf(number) + 1));
    }

    /** Prints something for each item, with a separator between. */
    <T> void each(List<T> items, String separator, Consumer<T> print) {
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                print(separator);
            }
            print.accept(items.get(i));
        }
    }

    void value(Expression expression) {
        expressions.print(expression);
    }

    void names(List<String> names) {
        print("(")
                .print(names.stream().map(Quoted::name).collect(Collectors.joining(", ")))
                .print(")");
    }

    // --- queries ---------------------------------------------------------------------------------------------------

    void query(Query query) {
        if (!query.with().isEmpty()) {
            print(query.recursive() ? "WITH RECURSIVE " : "WITH ");
            each(query.with(), ", ", this::cte);
            print(" ");
        }
        if (query.body() instanceof Query.Nested nested && isModified(query)) {
            // DuckDB's grammar takes no modifiers behind parentheses that may have some inside.
            print("SELECT * FROM (");
            query(nested.query());
            print(") AS ").name("nested");
        } else {
            body(query.body());
        }
        if (query.orderByAll()) {
            print(" ORDER BY ALL");
        } else if (!query.orders().isEmpty()) {
            print(" ");
            expressions.orderBy(query.orders());
        }
        query.limit().ifPresent(limit -> print(" LIMIT ").value(limit));
        query.offset().ifPresent(offset -> print(" OFFSET ").value(offset));
    }

    private void cte(Query.Cte cte) {
        name(cte.name());
        if (!cte.columns().isEmpty()) {
            names(cte.columns());
        }
        print(" AS ");
        cte.materialized().ifPresent(wanted -> print(wanted ? "MATERIALIZED " : "NOT MATERIALIZED "));
        print("(");
        query(cte.query());
        print(")");
    }

    private void body(Query.Body body) {
        if (body instanceof Query.Select select) {
            select(select);
        } else if (body instanceof Query.Values values) {
            values(values);
        } else if (body instanceof Query.Nested nested) {
            print("(");
            query(nested.query());
            print(")");
        } else if (body instanceof Query.SetOperation operation) {
            String separator = " " + operation.combination().name() + (operation.all() ? " ALL" : "")
                    + (operation.byName() ? " BY NAME " : " ");
            each(operation.parts(), separator, this::part);
        }
    }

    private void part(Query.Body part) {
        boolean chain = part instanceof Query.SetOperation;
        print(chain ? "(" : "");
        body(part);
        print(chain ? ")" : "");
    }

    private void values(Query.Values values) {
        print("SELECT * FROM (");
        rows(values);
        print(") AS ").name("valueslist");
        names(columns(values));
    }

    private void rows(Query.Values values) {
        print("VALUES ");
        each(values.rows(), ", ", row -> {
            print("(");
            each(row, ", ", this::value);
            print(")");
        });
    }

    /** PostgreSQL's names of the columns. */
    private static List<String> columns(Query.Values values) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= values.rows().get(0).size(); i++) {
            names.add("column" + i);
        }
        return names;
    }

    private void select(Query.Select select) {
        print("SELECT ");
        select.distinct().ifPresent(distinct -> {
            print("DISTINCT ");
            if (!distinct.on().isEmpty()) {
                print("ON (");
                each(distinct.on(), ", ", this::value);
                print(") ");
            }
        });
        each(select.items(), ", ", this::item);
        select.from().ifPresent(from -> {
            print(" FROM ");
            source(from);
        });
        select.where().ifPresent(where -> print(" WHERE ").value(where));
        if (select.groupByAll()) {
            print(" GROUP BY ALL");
        } else if (!select.groups().isEmpty()) {
            print(" GROUP BY ");
            each(select.groups(), ", ", group -> group(group, false));
        }
        select.having().ifPresent(having -> print(" HAVING ").value(having));
        if (!select.windows().isEmpty()) {
            print(" WINDOW ");
            each(select.windows(), ", ", window -> {
                name(window.name()).print(" AS ");
                expressions.window(window.window());
            });
        }
        select.qualify().ifPresent(qualify -> print(" QUALIFY ").value(qualify));
    }

    void item(Query.Item item) {
        value(item.value());
        item.alias().ifPresent(alias -> print(" AS ").name(alias));
    }

    private void group(Query.Grouping group, boolean inSet) {
        if (group instanceof Query.Grouping.By by) {
            value(by.value());
        } else if (group instanceof Query.Grouping.Together together) {
            boolean enclosed = inSet || together.values().isEmpty();
            print(enclosed ? "(" : "");
            each(together.values(), ", ", this::value);
            print(enclosed ? ")" : "");
        } else if (group instanceof Query.Grouping.Several several) {
            print(
                    switch (several.kind()) {
                        case ROLLUP -> "ROLLUP (";
                        case CUBE -> "CUBE (";
                        case SETS -> "GROUPING SETS (";
                    });
            each(several.elements(), ", ", element -> group(element, true));
            print(")");
        }
    }

    // --- sources ---------------------------------------------------------------------------------------------------

    void source(Source source) {
        if (source instanceof Source.Join join) {
            join(join);
        } else if (source instanceof Source.Derived derived) {
            derived(derived);
        } else if (source instanceof Source.Function function) {
            print(function.lateral() ? "LATERAL " : "");
            value(function.call());
            print(function.ordinality() ? " WITH ORDINALITY" : "").alias(function.alias());
        } else if (source instanceof Source.Scan scan) {
            print("(");
            endPiece();
            pieces.add(new Rendered.Piece.Hole(scan.slot()));
            print(")").alias(scan.alias());
        } else if (source instanceof Source.Table table) {
            print(table.path().stream().map(Quoted::name).collect(Collectors.joining(".")))
                    .alias(table.alias());
        }
    }

    private void derived(Source.Derived derived) {
        print(derived.lateral() ? "LATERAL (" : "(");
        Source.Alias alias = derived.alias();
        if (isPlain(derived.query()) && derived.query().body() instanceof Query.Values values) {
            rows(values);
            alias = alias.or("valueslist").orColumns(columns(values));
        } else {
            query(derived.query());
        }
        print(")").alias(alias);
    }

    private static boolean isPlain(Query query) {
        return query.with().isEmpty() && !isModified(query);
    }

    private static boolean isModified(Query query) {
        return query.orderByAll()
                || !query.orders().isEmpty()
                || query.limit().isPresent()
                || query.offset().isPresent();
    }

    private void alias(Source.Alias alias) {
        alias.name().ifPresent(name -> {
            print(" AS ").name(name);
            if (!alias.columns().isEmpty()) {
                names(alias.columns());
            }
        });
    }

    private void join(Source.Join join) {
        source(join.left());
        print(join.asof() ? " ASOF" : "").print(join.natural() ? " NATURAL" : "");
        print(
                switch (join.pairing()) {
                    case INNER -> " JOIN ";
                    default -> " " + join.pairing().name() + " JOIN ";
                });
        boolean nested = join.right() instanceof Source.Join;
        print(nested ? "(" : "");
        source(join.right());
        print(nested ? ")" : "");
        join.on().ifPresent(on -> print(" ON ").value(on));
        if (!join.using().isEmpty()) {
            print(" USING ");
            names(join.using());
        }
    }
}
