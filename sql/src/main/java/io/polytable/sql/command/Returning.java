package io.polytable.sql.command;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotOurs;
import io.polytable.sql.model.SqlTable;
import io.polytable.sql.model.TableDef;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What RETURNING answers of the rows that a statement wrote. */
final class Returning {
    private final SqlTable table;
    private final @Nullable Object[] parameters;
    private final boolean wanted;
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
        this.table = table;
        this.parameters = parameters;
        wanted = items.isPresent();
        if (wanted) {
            ExprCompiler compiler = new Reads(engine, session, parameters).compiler(table, alias);
            try {
                Items.compile(items.get(), table, compiler, outputs, values);
            } catch (NotOurs beyond) {
                throw new SqlError(
                        SqlCode.UNSUPPORTED,
                        "RETURNING takes columns and plain expressions, not " + beyond.getMessage());
            }
        }
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
        @Nullable Object[] result = new Object[values.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = values.get(i).value(shown, parameters);
        }
        rows.add(result);
    }

    Outcome outcome(String what, long count) {
        return wanted ? new Outcome.Rows(new ListedRows(outputs, rows)) : new Outcome.Done(what + " " + count, count);
    }
}
