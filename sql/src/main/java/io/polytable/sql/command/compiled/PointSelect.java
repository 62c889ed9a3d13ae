package io.polytable.sql.command.compiled;

import io.polytable.sql.expr.Compiled;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.table.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A compiled SELECT of one row by its key: the most frequent query. Like its key it does not reference the table. */
public record PointSelect(PointKey key, List<QueryRows.Output> outputs, List<Compiled> values) {
    public PointSelect {
        outputs = List.copyOf(outputs);
        values = List.copyOf(values);
    }

    public QueryRows read(SqlTable table, Transaction transaction, RowKey row, @Nullable Object[] parameters) {
        transaction.reads(table);
        Optional<StoredRow> found = table.get(transaction, row);
        List<@Nullable Object[]> rows = new ArrayList<>(1);
        if (found.isPresent() && !found.get().isDeleted()) {
            @Nullable Object[] shown = table.shown(found.get());
            @Nullable Object[] computed = new Object[values.size()];
            for (int i = 0; i < computed.length; i++) {
                computed[i] = values.get(i).value(shown, parameters);
            }
            rows.add(computed);
        }
        return new ListedRows(outputs, rows);
    }
}
