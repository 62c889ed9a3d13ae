package io.polytable.sql.command.write;

import io.polytable.sql.command.plan.Projection;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.ListedRows;
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
    private final Portal portal;
    private final Environment given;
    private final SqlTable table;
    private final Optional<String> alias;
    private final List<Query.Item> items;

    /** Empty if DuckDB evaluates the items. */
    private Optional<Projection> projection;

    private final List<@Nullable Object[]> rows = new ArrayList<>();

    /** @param projection the items, compiled */
    Returning(
            Portal portal,
            Environment given,
            SqlTable table,
            Optional<String> alias,
            List<Query.Item> items,
            Optional<Projection> projection) {
        this.portal = portal;
        this.given = given;
        this.table = table;
        this.alias = alias;
        this.items = items;
        this.projection = projection;
    }

    /** Compiles a list for rows of the written table alone; empty if DuckDB evaluates it. */
    static Optional<Projection> projection(SqlTable table, Optional<String> alias, List<Query.Item> items) {
        try {
            return Optional.of(
                    items.isEmpty() ? Projection.NOTHING : Projection.of(items, Reads.compiler(table, alias)));
        } catch (NotCompilable beyond) {
            return Optional.empty();
        }
    }

    /** Compiles the list for rows joined with those of other tables. */
    void compileWith(List<RowPicker.FromTable> tables) {
        Columns scope = new Columns().with(Reads.qualifiers(table, alias), table.columns());
        tables.forEach(other -> scope.with(List.of(other.name()), other.columns()));
        try {
            projection = Optional.of(Projection.of(items, new ExprCompiler(scope)));
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
        rows.add(projection.isPresent() ? projection.get().row(shown, given) : shown);
    }

    Outcome outcome(String what, long count, Transaction transaction) {
        if (!isWanted()) {
            return new Outcome.Done(what + " " + count, count);
        }
        return new Outcome.Rows(
                projection.isPresent()
                        ? new ListedRows(projection.get().outputs(), rows)
                        : new DuckExpressions(portal).listed(items, rows, table, alias, transaction));
    }
}
