package io.polytable.sql.command.write;

import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.FromNames;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Has DuckDB find the rows of an UPDATE or DELETE: a query returns their keys and their new values. */
final class RowPicker {
    /** The name of a separator column; no table's column has it. */
    private static final String MARK = "\u0001beside";

    /** The rows that are read together; more would be in memory before they are counted. */
    private static final int ROWS_AT_ONCE = 100_000;

    private final SqlEngine engine;
    private final Session session;
    private final @Nullable Object[] parameters;
    private final List<FromTable> fromTables = new ArrayList<>();
    private String with = "";
    private boolean wantsFromValues;

    /** A table of the FROM or USING clause and its columns. */
    record FromTable(String name, List<RelationColumn> columns) {
        FromTable {
            columns = List.copyOf(columns);
        }
    }

    RowPicker(SqlEngine engine, Session session, @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.parameters = parameters;
    }

    /** Adds common table expressions before the statement. */
    RowPicker with(String text) {
        with = text;
        return this;
    }

    /** Sets whether the values of the joined tables are read too, for RETURNING. */
    RowPicker withFromValues(boolean wanted) {
        wantsFromValues = wanted;
        return this;
    }

    /** The joined tables whose values were read, in the order of those values. */
    List<FromTable> fromTables() {
        return fromTables;
    }

    List<PickedRow> pick(Changes.Target target, List<Optional<Fragment>> values, Transaction transaction) {
        SqlTable table = target.table();
        String called = Quoted.name(target.called());
        StringBuilder sql = new StringBuilder(with)
                .append(" SELECT ")
                .append(called)
                .append('.')
                .append(SqlTable.KEY_COLUMN);
        List<Part> parts = new ArrayList<>();
        for (Optional<Fragment> value : values) {
            if (value.isPresent()) {
                append(sql.append(", ("), value.get(), parts).append(')');
            } else {
                sql.append(", NULL");
            }
        }
        List<String> names = wantsFromValues
                ? target.others().map(others -> FromNames.of(others.text())).orElse(List.of())
                : List.of();
        for (String name : names) {
            sql.append(", NULL AS \"")
                    .append(MARK)
                    .append("\", ")
                    .append(Quoted.name(name))
                    .append(".*");
        }
        sql.append(" FROM \"")
                .append(table.name().namespace())
                .append("\".\"")
                .append(table.name().name())
                .append("\" AS ")
                .append(called);
        target.others().ifPresent(others -> append(sql.append(", "), others, parts));
        target.where().ifPresent(where -> append(sql.append(" WHERE "), where, parts));
        try {
            return rows(sql.toString(), table, values.size(), names, transaction);
        } catch (SqlError error) {
            throw placed(error, parts);
        }
    }

    /** A part of the statement in the generated query, which starts there. */
    private record Part(Fragment fragment, int start) {}

    private static StringBuilder append(StringBuilder sql, Fragment fragment, List<Part> parts) {
        parts.add(new Part(fragment, sql.length()));
        return sql.append(fragment.text());
    }

    /** The error where the client's statement has it; nowhere if that is in a text of our own. */
    private static SqlError placed(SqlError error, List<Part> parts) {
        if (error.position() == SqlError.NOWHERE) {
            return error;
        }
        for (Part part : parts) {
            int offset = error.position() - part.start();
            if (offset >= 0 && offset <= part.fragment().text().length()) {
                return error.shifted(part.fragment().position() - part.start());
            }
        }
        return new SqlError(error.code(), error.text());
    }

    /** Finds the columns of each joined table: a separator precedes them, because only the query knows their number. */
    private int[] read(List<QueryRows.Output> columns, List<String> names) {
        List<List<RelationColumn>> parts = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(MARK)) {
                parts.add(new ArrayList<>());
            } else if (!parts.isEmpty() && !columns.get(i).name().equals(SqlTable.KEY_COLUMN)) {
                parts.get(parts.size() - 1)
                        .add(RelationColumn.shown(
                                columns.get(i).name(), columns.get(i).type()));
                places.add(i);
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            fromTables.add(new FromTable(names.get(i), parts.get(i)));
        }
        return places.stream().mapToInt(Integer::intValue).toArray();
    }

    private List<PickedRow> rows(String sql, SqlTable table, int values, List<String> names, Transaction transaction) {
        int[] fromPlaces;
        TransactionState.Reading reading = new TransactionState.Reading(transaction, () -> {});
        List<@Nullable Object[]> found = new ArrayList<>();
        Set<Bytes> seen = new HashSet<>();
        try (QueryRows rows = new Reads(engine, session, parameters).query(sql, 0, reading)) {
            fromPlaces = read(rows.columns(), names);
            while (rows.next()) {
                // A row that a join finds several times is changed once, as in PostgreSQL.
                if (rows.row()[0] instanceof Bytes key && seen.add(key)) {
                    transaction.holdScratch(2 * StatementMemory.sizeOf(rows.row()));
                    found.add(rows.row().clone());
                }
            }
        }
        List<PickedRow> picked = new ArrayList<>();
        for (int from = 0; from < found.size(); from += ROWS_AT_ONCE) {
            List<@Nullable Object[]> some = found.subList(from, Math.min(found.size(), from + ROWS_AT_ONCE));
            List<Bytes> keys = new ArrayList<>(some.size());
            some.forEach(each -> keys.add(key(each)));
            session.cancellation().check();
            Map<Bytes, StoredRow> rows = table.getByKeys(transaction, session.user(), keys);
            for (@Nullable Object[] each : some) {
                StoredRow row = rows.get(key(each));
                // A query that names _deleted finds tombstones, too. They must be neither changed nor revived.
                if (row != null && !row.isDeleted()) {
                    transaction.holdScratch(StatementMemory.sizeOf(row.values()));
                    @Nullable Object[] others = new Object[fromPlaces.length];
                    for (int i = 0; i < fromPlaces.length; i++) {
                        others[i] = each[fromPlaces[i]];
                    }
                    picked.add(new PickedRow(row, Arrays.copyOfRange(each, 1, 1 + values), others));
                }
            }
        }
        return picked;
    }

    private static Bytes key(@Nullable Object[] found) {
        return (Bytes) Objects.requireNonNull(found[0]);
    }
}
