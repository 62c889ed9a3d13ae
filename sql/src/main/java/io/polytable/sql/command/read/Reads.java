package io.polytable.sql.command.read;

import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.command.compiled.CompiledExpressions;
import io.polytable.sql.command.compiled.PointKey;
import io.polytable.sql.command.compiled.PointSelect;
import io.polytable.sql.command.session.PlanCache;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Conditions;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation.Condition;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.query.Names;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import io.polytable.table.Direction;
import io.polytable.table.RowKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs SELECT: by key or index on our own path where possible, everything else through DuckDB. */
public final class Reads {
    private final SqlEngine engine;
    private final Session session;
    private final @Nullable Object[] parameters;

    public Reads(SqlEngine engine, Session session, @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.parameters = parameters;
    }

    public QueryRows select(Statement.Select select) {
        Optional<PlainSelect> plain = PlainSelect.of(select.query());
        Optional<QueryRows> point =
                parameters.length == 0 ? Optional.empty() : plain.flatMap(simple -> point(select.query(), simple));
        if (point.isPresent()) {
            engine.log().answeredByKey();
            return point.get();
        }
        Optional<KeyRead> byKey = plain.flatMap(this::keyRead);
        if (byKey.isPresent()) {
            engine.log().answeredByKey();
            TransactionState.Reading reading =
                    session.transaction().reading(byKey.get().isPoint());
            return byKey.get().open(byKey.get().isPoint() ? reading : registered(reading), session.cancellation());
        }
        engine.log().answeredByDuck();
        return query(select.query());
    }

    /** The result, if the query reads one row whose key is given by parameters. */
    private Optional<QueryRows> point(Query query, PlainSelect select) {
        Optional<SqlTable> table = session.readable(select.table());
        if (table.isEmpty()) {
            return Optional.empty();
        }
        Optional<PointSelect> plan =
                engine.rules().of(table.get()).expressions().select(query, () -> pointSelect(select, table.get()));
        return plan.flatMap(known ->
                known.key().key(table.get(), session.user(), parameters).map(key -> read(known, table.get(), key)));
    }

    private QueryRows read(PointSelect plan, SqlTable table, RowKey key) {
        try (TransactionState.Reading reading = session.transaction().reading(true)) {
            return plan.read(table, reading.transaction(), key, parameters);
        }
    }

    private Optional<PointSelect> pointSelect(PlainSelect select, SqlTable table) {
        Optional<PointKey> key = select.where().flatMap(where -> PointKey.of(where, table));
        boolean plain = select.orderBy().isEmpty()
                && select.limit().isEmpty()
                && select.offset().isEmpty()
                && !select.names(TableDef.DELETED)
                && select.items().stream().allMatch(item -> CompiledExpressions.isPure(item.value()));
        if (key.isEmpty() || !plain) {
            return Optional.empty();
        }
        List<QueryRows.Output> outputs = new ArrayList<>();
        List<Compiled> values = new ArrayList<>();
        try {
            Items.compile(select.items(), compiler(table, select.alias()), outputs, values);
        } catch (NotCompilable beyond) {
            return Optional.empty();
        }
        return Optional.of(new PointSelect(key.get(), outputs, values));
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
        TransactionState.Reading reading = session.transaction().reading(false);
        try {
            return query(query, reading);
        } catch (RuntimeException failure) {
            reading.close();
            throw failure;
        }
    }

    public QueryRows query(Query query, TransactionState.Reading reading) {
        return run(plan(query, () -> query), reading);
    }

    public QueryRows run(PreparedQuery plan, TransactionState.Reading reading) {
        long id = engine.queries().add(session.user(), session.text(), session.cancellation());
        try {
            return engine.duck()
                    .run(
                            plan,
                            reading.transaction().forQueries(plan.query().ownTables()),
                            session.user(),
                            parameters,
                            session.times(),
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

    /** The plan of a query that is made of a part of a statement. */
    public PreparedQuery plan(Object part, Supplier<Query> query) {
        Names names = session.names();
        CatalogState state = engine.catalog().state();
        PlanCache.Key key = session.planKey(part);
        return engine.plans().plan(key, state, () -> engine.duck().prepare(query.get(), names));
    }

    /** The plan on our own path, if there is one. */
    Optional<KeyRead> keyRead(PlainSelect select) {
        Optional<SqlTable> found = session.readable(select.table());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        // A condition that excludes tombstones itself may use an index, which has only live rows.
        boolean withDeleted = select.names(TableDef.DELETED) && !select.excludes(TableDef.DELETED);
        try {
            return keyRead(select, withDeleted ? found.get().withoutIndexes() : found.get(), withDeleted);
        } catch (NotCompilable notOurs) {
            return Optional.empty();
        }
    }

    private Optional<KeyRead> keyRead(PlainSelect select, SqlTable table, boolean withDeleted) {
        ExprCompiler compiler = compiler(table, select.alias());
        Optional<Compiled> filter = select.where().map(compiler::condition);
        List<Condition> conditions = select.where()
                .map(where -> Conditions.of(where, compiler, table.columns(), parameters))
                .orElse(List.of());
        AccessPath path = table.plan(session.user(), conditions);
        Optional<Direction> direction = direction(select, table, path, conditions);
        boolean everything = select.where().isEmpty();
        if (direction.isEmpty() || !(path.isNarrow() || everything)) {
            return Optional.empty();
        }
        List<QueryRows.Output> outputs = new ArrayList<>();
        List<Compiled> values = new ArrayList<>();
        Items.compile(select.items(), compiler, outputs, values);
        return Optional.of(new KeyRead(
                table,
                session.user(),
                path,
                filter.orElse(null),
                direction.get(),
                outputs,
                values,
                count(select.limit(), compiler, "LIMIT", Long.MAX_VALUE),
                count(select.offset(), compiler, "OFFSET", 0),
                withDeleted,
                parameters));
    }

    public ExprCompiler compiler(SqlTable table, Optional<String> alias) {
        List<String> qualifiers = alias.map(List::of)
                .orElse(List.of(table.name().name(), table.name().toString()));
        return new ExprCompiler(new Columns().with(qualifiers, table.columns()), session.environment());
    }

    /** The direction of a key scan that yields the order of ORDER BY; empty if none does. */
    private static Optional<Direction> direction(
            PlainSelect select, SqlTable table, AccessPath path, List<Condition> conditions) {
        if (select.orderBy().isEmpty()) {
            return Optional.of(Direction.FORWARD);
        }
        if (path instanceof AccessPath.Point) {
            return Optional.of(Direction.FORWARD);
        }
        // An index is not in key order.
        if (path instanceof AccessPath.Index) {
            return Optional.empty();
        }
        boolean descending = select.orderBy().get(0).descending();
        List<String> key = new ArrayList<>(table.key());
        Set<String> fixed = new HashSet<>();
        conditions.stream()
                .filter(condition ->
                        condition.operator().equals("=") && condition.values().size() == 1)
                .forEach(condition -> fixed.add(condition.column()));
        for (PlainSelect.OrderColumn order : select.orderBy()) {
            while (!key.isEmpty() && fixed.contains(key.get(0)) && !key.get(0).equals(order.name())) {
                key.remove(0);
            }
            boolean along = !key.isEmpty() && key.remove(0).equals(order.name());
            if (!along || order.descending() != descending) {
                return Optional.empty();
            }
        }
        return Optional.of(descending ? Direction.REVERSE : Direction.FORWARD);
    }

    private long count(Optional<Expression> expr, ExprCompiler compiler, String what, long otherwise) {
        if (expr.isEmpty()) {
            return otherwise;
        }
        Compiled compiled = compiler.compile(expr.get());
        if (!compiled.constant()) {
            throw new SqlError(
                    SqlCode.SYNTAX_ERROR, what + " takes no columns", expr.get().position());
        }
        Object value = Casts.to(SqlType.BIGINT, compiled.value(parameters));
        if (value == null) {
            return otherwise;
        }
        if ((Long) value < 0) {
            throw new SqlError(
                    what.equals("LIMIT") ? SqlCode.INVALID_LIMIT : SqlCode.INVALID_OFFSET,
                    what + " must not be negative",
                    expr.get().position());
        }
        return (Long) value;
    }

    public static List<RelationColumn> shown(SqlTable table) {
        return table.columns().stream().filter(column -> !column.hidden()).toList();
    }
}
