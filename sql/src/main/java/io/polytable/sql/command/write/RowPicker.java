package io.polytable.sql.command.write;

import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.syntax.QueryParser;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Has DuckDB find the rows of an UPDATE or DELETE: a query returns their keys and their new values. */
final class RowPicker {
    /** The name of a separator column; no table's column has it. */
    private static final String MARK = "\u0001beside";

    private static final Expression NULL = new Expression.Constant(Expression.Constant.Kind.NULL, "", At.NOWHERE);

    /** The rows that are read together; more would be in memory before they are counted. */
    private static final int ROWS_AT_ONCE = 100_000;

    private final Portal portal;
    private final Session session;
    private final List<FromTable> fromTables = new ArrayList<>();
    private boolean wantsFromValues;

    /** A table of the FROM or USING clause and its columns. */
    record FromTable(String name, List<RelationColumn> columns) {
        FromTable {
            columns = List.copyOf(columns);
        }
    }

    RowPicker(Portal portal) {
        this.portal = portal;
        session = portal.session();
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

    List<PickedRow> pick(Plan.Change change, Transaction transaction) {
        Statement.Rows wanted = change.target();
        QueryParser.requirePlannable(wanted.words());
        List<String> names =
                wantsFromValues ? wanted.others().map(Source::names).orElse(List.of()) : List.of();
        PreparedQuery plan = portal.query(wanted, () -> query(change, names));
        return rows(new Reads(portal), plan, change.table(), change.values().size(), names, transaction);
    }

    /** Selects the rows' keys, their new values, and the columns of the joined tables. */
    private static Query query(Plan.Change change, List<String> names) {
        Statement.Rows target = change.target();
        TableName name = change.table().name();
        List<Query.Item> items = new ArrayList<>();
        items.add(item(new Expression.Column(List.of(change.called(), SqlTable.KEY_COLUMN), At.NOWHERE)));
        change.values().forEach(value -> items.add(item(value.orElse(NULL))));
        for (String other : names) {
            items.add(new Query.Item(NULL, Optional.of(MARK)));
            items.add(item(new Expression.Star(Optional.of(other), List.of(), List.of(), At.NOWHERE)));
        }
        Source own = new Source.Table(
                List.of(name.namespace(), name.name()),
                OptionalLong.empty(),
                new Source.Alias(change.called()),
                new At(target.table().position()));
        Source from = target.others().map(others -> before(own, others)).orElse(own);
        Query.Select select = Query.Select.of(items, Optional.of(from));
        Query query = Query.of(target.where().map(select::where).orElse(select));
        return target.with().before(query);
    }

    private static Query.Item item(Expression value) {
        return new Query.Item(value, Optional.empty());
    }

    /** The table in front of a list of others. */
    private static Source before(Source table, Source others) {
        boolean list = others instanceof Source.Join join && join.pairing() == Source.Pairing.CROSS;
        if (list) {
            Source.Join join = (Source.Join) others;
            return crossed(before(table, join.left()), join.right(), join.at());
        }
        return crossed(table, others, others.at());
    }

    private static Source crossed(Source left, Source right, At at) {
        return new Source.Join(left, right, Source.Pairing.CROSS, false, false, Optional.empty(), List.of(), at);
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

    private List<PickedRow> rows(
            Reads reads, PreparedQuery plan, SqlTable table, int values, List<String> names, Transaction transaction) {
        int[] fromPlaces;
        TransactionState.Reading reading = new TransactionState.Reading(transaction, () -> {});
        List<@Nullable Object[]> found = new ArrayList<>();
        Set<Bytes> seen = new HashSet<>();
        try (QueryRows rows = reads.run(plan, reading)) {
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
