package io.polytable.sql.command.write;

import io.polytable.sql.command.read.Items;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Expr;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.FromNames;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The RETURNING clause of a write: evaluated row by row, or by DuckDB for all rows at the end. */
final class Returning {
    private final SqlEngine engine;
    private final Session session;
    private final SqlTable table;
    private final Optional<String> alias;
    private final @Nullable Object[] parameters;
    private final List<Statement.Item> items;
    private final boolean wanted;

    /** The list that DuckDB evaluates; empty if we evaluate the items ourselves. */
    private String duckList = "";

    private final List<QueryRows.Output> outputs = new ArrayList<>();
    private final List<Compiled> values = new ArrayList<>();
    private final List<@Nullable Object[]> rows = new ArrayList<>();

    Returning(
            SqlEngine engine,
            Session session,
            SqlTable table,
            Optional<String> alias,
            Optional<List<Statement.Item>> items,
            @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.table = table;
        this.alias = alias;
        this.parameters = parameters;
        wanted = items.isPresent();
        this.items = items.orElse(List.of());
    }

    /** Compiles the list for rows of the written table alone. */
    void compile() {
        if (wanted) {
            ExprCompiler compiler = new Reads(engine, session, parameters).compiler(table, alias);
            try {
                Items.compile(items, table.columns(), compiler, outputs, values);
            } catch (NotCompilable beyond) {
                duckList = list(items, beyond);
            }
        }
    }

    /** Compiles the list for rows joined with those of other tables. */
    void compileWith(List<RowPicker.FromTable> tables) {
        if (!wanted) {
            return;
        }
        List<String> qualifiers = alias.map(List::of)
                .orElse(List.of(table.name().name(), table.name().toString()));
        Columns scope = new Columns().with(qualifiers, table.columns());
        List<RelationColumn> all = new ArrayList<>(table.columns());
        Map<String, List<RelationColumn>> named = new HashMap<>();
        named.put(qualifiers.get(0), table.columns());
        for (RowPicker.FromTable other : tables) {
            scope.with(List.of(other.name()), other.columns());
            all.addAll(other.columns());
            named.put(other.name(), other.columns());
        }
        try {
            Items.compile(opened(named), all, new ExprCompiler(scope, session.environment()), outputs, values);
        } catch (NotCompilable beyond) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED,
                    "RETURNING of several tables takes columns and plain expressions, not " + beyond.getMessage());
        }
    }

    /** Expands {@code table.*} to the table's columns. */
    private List<Statement.Item> opened(Map<String, List<RelationColumn>> tables) {
        List<Statement.Item> opened = new ArrayList<>();
        for (Statement.Item item : items) {
            String text = item.value().map(Fragment::text).orElse("");
            String name = FromNames.ofStar(text).orElse("");
            List<RelationColumn> columns = tables.get(name);
            if (columns == null) {
                opened.add(item);
                continue;
            }
            int position = item.value().map(Fragment::position).orElse(SqlError.NOWHERE);
            columns.stream().filter(column -> !column.hidden()).forEach(column -> {
                Expr ref = new Expr.ColumnRef(List.of(name, column.name()), position);
                opened.add(new Statement.Item(Optional.of(new Fragment(text, position, ref)), Optional.empty()));
            });
        }
        return opened;
    }

    private String list(List<Statement.Item> items, NotCompilable beyond) {
        // Parameters are numbered over the whole statement, of which this list is only a part.
        if (parameters.length > 0) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED,
                    "RETURNING takes columns and plain expressions next to parameters, not " + beyond.getMessage());
        }
        return items.stream().map(Returning::text).collect(Collectors.joining(", "));
    }

    private static String text(Statement.Item item) {
        String value = item.value().map(Fragment::text).orElse("*");
        return item.alias().map(name -> value + " AS " + Quoted.name(name)).orElse(value);
    }

    boolean isWanted() {
        return wanted;
    }

    /** @param fromValues the values of the joined tables */
    void add(@Nullable Object[] row, Instant updated, @Nullable Object[] fromValues) {
        if (!wanted) {
            return;
        }
        int width = table.columns().size();
        @Nullable Object[] shown = Arrays.copyOf(row, width + fromValues.length);
        System.arraycopy(fromValues, 0, shown, width, fromValues.length);
        for (int i = row.length; i < width; i++) {
            String hidden = table.columns().get(i).name();
            shown[i] = hidden.equals(TableDef.UPDATED) ? updated : hidden.equals(TableDef.DELETED) ? false : null;
        }
        if (!duckList.isEmpty()) {
            rows.add(shown);
            return;
        }
        @Nullable Object[] result = new Object[values.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = values.get(i).value(shown, parameters);
        }
        rows.add(result);
    }

    Outcome outcome(String what, long count, Transaction transaction) {
        if (!duckList.isEmpty()) {
            return new Outcome.Rows(
                    new DuckExpressions(engine, session, parameters).listed(duckList, rows, table, alias, transaction));
        }
        return wanted ? new Outcome.Rows(new ListedRows(outputs, rows)) : new Outcome.Done(what + " " + count, count);
    }
}
