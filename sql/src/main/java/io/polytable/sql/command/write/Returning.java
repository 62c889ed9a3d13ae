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
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The RETURNING clause of a write: evaluated row by row, or by DuckDB for all rows at the end. */
final class Returning {
    private final SqlEngine engine;
    private final Session session;
    private final SqlTable table;
    private final Optional<String> alias;
    private final @Nullable Object[] parameters;
    private final List<Query.Item> items;

    /** Whether DuckDB evaluates the items. */
    private boolean byDuck;

    private final List<QueryRows.Output> outputs = new ArrayList<>();
    private final List<Compiled> values = new ArrayList<>();
    private final List<@Nullable Object[]> rows = new ArrayList<>();

    Returning(
            SqlEngine engine,
            Session session,
            SqlTable table,
            Optional<String> alias,
            List<Query.Item> items,
            @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.table = table;
        this.alias = alias;
        this.parameters = parameters;
        this.items = items;
    }

    /** Compiles the list for rows of the written table alone. */
    void compile() {
        ExprCompiler compiler = new Reads(engine, session, parameters).compiler(table, alias);
        try {
            Items.compile(items, compiler, outputs, values);
        } catch (NotCompilable beyond) {
            byDuck = true;
        }
    }

    /** Compiles the list for rows joined with those of other tables. */
    void compileWith(List<RowPicker.FromTable> tables) {
        List<String> qualifiers = alias.map(List::of)
                .orElse(List.of(table.name().name(), table.name().toString()));
        Columns scope = new Columns().with(qualifiers, table.columns());
        tables.forEach(other -> scope.with(List.of(other.name()), other.columns()));
        try {
            Items.compile(items, new ExprCompiler(scope, session.environment()), outputs, values);
        } catch (NotCompilable beyond) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED,
                    "RETURNING of several tables takes columns and plain expressions, not " + beyond.getMessage());
        }
    }

    boolean isWanted() {
        return !items.isEmpty();
    }

    /** @param fromValues the values of the joined tables */
    void add(@Nullable Object[] row, Instant updated, @Nullable Object[] fromValues) {
        if (items.isEmpty()) {
            return;
        }
        int width = table.columns().size();
        @Nullable Object[] shown = Arrays.copyOf(row, width + fromValues.length);
        System.arraycopy(fromValues, 0, shown, width, fromValues.length);
        for (int i = row.length; i < width; i++) {
            String hidden = table.columns().get(i).name();
            shown[i] = hidden.equals(TableDef.UPDATED) ? updated : hidden.equals(TableDef.DELETED) ? false : null;
        }
        if (byDuck) {
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
        if (byDuck) {
            return new Outcome.Rows(
                    new DuckExpressions(engine, session, parameters).listed(items, rows, table, alias, transaction));
        }
        return isWanted()
                ? new Outcome.Rows(new ListedRows(outputs, rows))
                : new Outcome.Done(what + " " + count, count);
    }
}
