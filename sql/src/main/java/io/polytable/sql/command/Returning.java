package io.polytable.sql.command;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotOurs;
import io.polytable.sql.model.SqlTable;
import io.polytable.sql.model.TableDef;
import io.polytable.sql.model.Transaction;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What RETURNING answers of the rows that a statement wrote: computed row by row, or of all of them by DuckDB at the end. */
final class Returning {
    private final SqlEngine engine;
    private final Session session;
    private final SqlTable table;
    private final Optional<String> alias;
    private final @Nullable Object[] parameters;
    private final boolean wanted;

    /** What DuckDB is to compute, empty where we do. */
    private String foreign = "";

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
        if (wanted) {
            ExprCompiler compiler = new Reads(engine, session, parameters).compiler(table, alias);
            try {
                Items.compile(items.get(), table, compiler, outputs, values);
            } catch (NotOurs beyond) {
                foreign = list(items.get(), beyond);
            }
        }
    }

    private String list(List<Statement.Item> items, NotOurs beyond) {
        // The numbers of "?" count over the whole statement, of which this is a part.
        if (parameters.length > 0) {
            throw new SqlError(
                    SqlCode.UNSUPPORTED,
                    "RETURNING takes columns and plain expressions beside parameters, not " + beyond.getMessage());
        }
        return items.stream().map(Returning::text).collect(Collectors.joining(", "));
    }

    private static String text(Statement.Item item) {
        String value = item.value().map(Fragment::text).orElse("*");
        return item.alias()
                .map(name -> value + " AS \"" + name.replace("\"", "\"\"") + '"')
                .orElse(value);
    }

    boolean isWanted() {
        return wanted;
    }

    void add(@Nullable Object[] row, Instant updated) {
        if (!wanted) {
            return;
        }
        @Nullable Object[] shown = Arrays.copyOf(row, table.columns().size());
        for (int i = row.length; i < shown.length; i++) {
            String hidden = table.columns().get(i).name();
            shown[i] = hidden.equals(TableDef.UPDATED) ? updated : hidden.equals(TableDef.DELETED) ? false : null;
        }
        if (!foreign.isEmpty()) {
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
        if (!foreign.isEmpty()) {
            return new Outcome.Rows(
                    new Foreign(engine, session, parameters).listed(foreign, rows, table, alias, transaction));
        }
        return wanted ? new Outcome.Rows(new ListedRows(outputs, rows)) : new Outcome.Done(what + " " + count, count);
    }
}
