package io.polytable.sql.command.read;

import io.polytable.sql.command.plan.PlainSelect;
import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.command.plan.PointKey;
import io.polytable.sql.command.plan.Projection;
import io.polytable.sql.command.plan.Selection;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs SELECT: by key or index on our own path where possible, everything else through DuckDB. */
public final class Reads {
    private final SqlEngine engine;
    private final Session session;
    private final Portal portal;

    public Reads(Portal portal) {
        this.portal = portal;
        engine = portal.engine();
        session = portal.session();
    }

    public QueryRows select(Statement.Select select) {
        Plan plan = portal.plan(() -> plan(select.query()));
        Environment given = portal.given();
        if (plan instanceof Plan.PointRead one) {
            Optional<RowKey> key = one.key().key(one.table(), session.user(), given.parameters());
            if (key.isPresent()) {
                engine.log().answeredByKey();
                return point(one, key.get(), given);
            }
            plan = one.otherwise();
        }
        Optional<KeyRows> byKey = plan instanceof Plan.KeyRead read ? KeyRows.of(read, given) : Optional.empty();
        if (byKey.isPresent()) {
            engine.log().answeredByKey();
            boolean one = byKey.get().isPoint();
            TransactionState.Reading reading = session.transaction().reading(one);
            return byKey.get().open(one ? reading : registered(reading), session.cancellation());
        }
        engine.log().answeredByDuck();
        PreparedQuery query = plan instanceof Plan.DuckRead duck ? duck.query() : prepared(select.query());
        return inReading(reading -> run(query, reading));
    }

    private QueryRows point(Plan.PointRead plan, RowKey key, Environment given) {
        SqlTable table = plan.table();
        try (TransactionState.Reading reading = session.transaction().reading(true)) {
            Transaction transaction = reading.transaction();
            transaction.reads(table);
            Optional<StoredRow> found = table.get(transaction, key);
            List<@Nullable Object[]> rows = new ArrayList<>(1);
            if (found.isPresent() && !found.get().isDeleted()) {
                rows.add(plan.shown().row(table.shown(found.get()), given));
            }
            return new ListedRows(plan.shown().outputs(), rows);
        }
    }

    /** Reads by key or index are ours where possible; everything else is a query for DuckDB. */
    public Plan plan(Query query) {
        Optional<PlainSelect> plain = PlainSelect.of(query);
        Optional<SqlTable> table = plain.flatMap(select -> session.readable(select.table()));
        if (table.isPresent()) {
            try {
                return keyRead(plain.orElseThrow(), table.get());
            } catch (NotCompilable notOurs) {
                return new Plan.DuckRead(prepared(query));
            }
        }
        return new Plan.DuckRead(prepared(query));
    }

    private static Plan keyRead(PlainSelect select, SqlTable found) {
        // A condition that excludes tombstones itself may use an index, which has only live rows.
        boolean withDeleted = select.names(TableDef.DELETED) && !select.excludes(TableDef.DELETED);
        SqlTable table = withDeleted ? found.withoutIndexes() : found;
        ExprCompiler compiler = compiler(table, select.alias());
        Plan.KeyRead read = new Plan.KeyRead(
                table,
                Selection.of(select.where(), compiler, table),
                select.orderBy(),
                Projection.of(select.items(), compiler),
                count(select.limit(), compiler, "LIMIT"),
                count(select.offset(), compiler, "OFFSET"),
                withDeleted);
        boolean plain = select.orderBy().isEmpty()
                && select.limit().isEmpty()
                && select.offset().isEmpty()
                && !select.names(TableDef.DELETED);
        Optional<PointKey> key = plain ? select.where().flatMap(where -> PointKey.of(where, table)) : Optional.empty();
        return key.isPresent() ? new Plan.PointRead(table, key.get(), read.shown(), read) : read;
    }

    /** Registers the query as running until it is closed, so that it can be seen and killed. */
    private TransactionState.Reading registered(TransactionState.Reading reading) {
        long id = engine.queries().add(session.user(), session.text(), session.cancellation());
        return new TransactionState.Reading(reading.transaction(), () -> {
            engine.queries().remove(id);
            reading.close();
        });
    }

    /** Runs a query through DuckDB. */
    public QueryRows query(Query query) {
        return inReading(reading -> query(query, reading));
    }

    private QueryRows inReading(Function<TransactionState.Reading, QueryRows> body) {
        TransactionState.Reading reading = session.transaction().reading(false);
        try {
            return body.apply(reading);
        } catch (RuntimeException failure) {
            reading.close();
            throw failure;
        }
    }

    public QueryRows query(Query query, TransactionState.Reading reading) {
        return run(prepared(query), reading);
    }

    PreparedQuery prepared(Query query) {
        return portal.query(query, () -> query);
    }

    public QueryRows run(PreparedQuery plan, TransactionState.Reading reading) {
        long id = engine.queries().add(session.user(), session.text(), session.cancellation());
        try {
            return engine.duck()
                    .run(
                            plan,
                            reading.transaction().forQueries(plan.query().ownTables()),
                            session.user(),
                            portal.parameters(),
                            portal.times(),
                            session.cancellation(),
                            () -> {
                                engine.queries().remove(id);
                                reading.close();
                            });
        } catch (RuntimeException failure) {
            engine.queries().remove(id);
            throw failure;
        }
    }

    public static ExprCompiler compiler(SqlTable table, Optional<String> alias) {
        return new ExprCompiler(new Columns().with(qualifiers(table, alias), table.columns()));
    }

    /** The names by which expressions refer to a table. */
    public static List<String> qualifiers(SqlTable table, Optional<String> alias) {
        return alias.map(List::of)
                .orElse(List.of(table.name().name(), table.name().toString()));
    }

    private static Optional<Compiled> count(Optional<Expression> expr, ExprCompiler compiler, String what) {
        if (expr.isEmpty()) {
            return Optional.empty();
        }
        int position = expr.get().position();
        Compiled count = compiler.compile(expr.get()).as(SqlType.BIGINT);
        if (!count.constant()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, what + " takes no columns", position);
        }
        SqlCode refused = what.equals("LIMIT") ? SqlCode.INVALID_LIMIT : SqlCode.INVALID_OFFSET;
        return Optional.of(new Compiled(
                SqlType.BIGINT,
                (row, given) -> {
                    Object value = count.value(given);
                    if (value instanceof Long number && number < 0) {
                        throw new SqlError(refused, what + " must not be negative", position);
                    }
                    return value;
                },
                true));
    }

    public static List<RelationColumn> shown(SqlTable table) {
        return table.columns().stream().filter(column -> !column.hidden()).toList();
    }
}
