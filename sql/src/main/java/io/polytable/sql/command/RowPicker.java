package io.polytable.sql.command;

import io.polytable.sql.model.HeapBudget;
import io.polytable.sql.model.SqlTable;
import io.polytable.sql.model.Transaction;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Fragment;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Has DuckDB find the rows of an UPDATE or DELETE: their keys and the new values come back as a query's result. */
final class RowPicker {
    private final SqlEngine engine;
    private final Session session;
    private final @Nullable Object[] parameters;
    private String with = "";

    RowPicker(SqlEngine engine, Session session, @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.parameters = parameters;
    }

    /** Common table expressions before the statement. */
    RowPicker with(String text) {
        with = text;
        return this;
    }

    List<Picked> pick(Changes.Target target, List<Optional<Fragment>> values, Transaction transaction) {
        SqlTable table = target.table();
        String called = '"' + target.called().replace("\"", "\"\"") + '"';
        StringBuilder sql = new StringBuilder(with)
                .append(" SELECT ")
                .append(called)
                .append('.')
                .append(SqlTable.KEY_COLUMN);
        for (Optional<Fragment> value : values) {
            sql.append(", ")
                    .append(value.map(fragment -> "(" + fragment.text() + ")").orElse("NULL"));
        }
        sql.append(" FROM \"")
                .append(table.name().namespace())
                .append("\".\"")
                .append(table.name().name())
                .append("\" AS ")
                .append(called);
        target.others().ifPresent(others -> sql.append(", ").append(others.text()));
        target.where().ifPresent(where -> sql.append(" WHERE ").append(where.text()));
        return rows(sql.toString(), table, transaction);
    }

    private List<Picked> rows(String sql, SqlTable table, Transaction transaction) {
        TransactionState.Reading reading = new TransactionState.Reading(transaction, () -> {});
        List<@Nullable Object[]> found = new ArrayList<>();
        Set<Bytes> seen = new HashSet<>();
        try (QueryRows rows = new Reads(engine, session, parameters).query(sql, 0, reading)) {
            while (rows.next()) {
                // A row that a join finds several times is changed once, as PostgreSQL does.
                if (rows.row()[0] instanceof Bytes key && seen.add(key)) {
                    transaction.holdScratch(2 * HeapBudget.sizeOf(rows.row()));
                    found.add(rows.row().clone());
                }
            }
        }
        List<Picked> picked = new ArrayList<>();
        for (@Nullable Object[] values : found) {
            if (values[0] instanceof Bytes key) {
                table.getByKey(transaction, key).ifPresent(row -> {
                    transaction.holdScratch(HeapBudget.sizeOf(row.values()));
                    picked.add(new Picked(row, Arrays.copyOfRange(values, 1, values.length)));
                });
            }
        }
        return picked;
    }
}
