package io.polytable.sql.command.write;

import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.RowsRelation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.Names;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.tree.At;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.tree.Source;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions of writes that are beyond our own compiler: has DuckDB compute them. */
final class DuckExpressions {
    private static final TableName TABLE = new TableName("polytable", "row");
    private static final TableName EXCLUDED = new TableName("polytable", "excluded");

    private final Portal portal;
    private final Session session;

    DuckExpressions(Portal portal) {
        this.portal = portal;
        session = portal.session();
    }

    /** Evaluates an expression that refers to no row; it may have subqueries. */
    @Nullable
    Object value(Expression value, Transaction transaction) {
        PreparedQuery plan =
                portal.query(value, () -> Query.of(Query.Select.of(List.of(item(value)), Optional.empty())));
        return first(new Reads(portal), plan, new TransactionState.Reading(transaction, () -> {}));
    }

    private static Query.Item item(Expression value) {
        return new Query.Item(value, Optional.empty());
    }

    private static @Nullable Object first(Reads reads, PreparedQuery plan, TransactionState.Reading reading) {
        try (QueryRows rows = reads.run(plan, reading)) {
            return rows.next() ? rows.row()[0] : null;
        }
    }

    /** Evaluates an expression of ON CONFLICT; {@code both} has the existing row, then the excluded one. */
    @Nullable
    Object computed(
            Expression value, ExprCompiler compiler, @Nullable Object[] both, SqlTable table, Optional<String> alias) {
        try {
            return compiler.compile(value).value(both, portal.given());
        } catch (NotCompilable notOurs) {
            return throughDuck(value, both, table, alias);
        }
    }

    private @Nullable Object throughDuck(
            Expression value, @Nullable Object[] both, SqlTable table, Optional<String> alias) {
        int width = both.length / 2;
        List<Relation.RelationColumn> columns = Reads.shown(table);
        Relation own = new RowsRelation(
                TABLE, columns, List.of(), () -> List.<@Nullable Object[]>of(Arrays.copyOf(both, width)));
        Relation excluded = new RowsRelation(
                EXCLUDED,
                columns,
                List.of(),
                () -> List.<@Nullable Object[]>of(Arrays.copyOfRange(both, width, both.length)));
        Source from = new Source.Join(
                source(TABLE, called(table, alias)),
                source(EXCLUDED, EXCLUDED.name()),
                Source.Pairing.CROSS,
                false,
                false,
                Optional.empty(),
                List.of(),
                At.NOWHERE);
        PreparedQuery plan = plan(List.of(item(value)), from, new RowNames(session.names(), own, excluded));
        try (TransactionState.Reading reading = session.transaction().reading(false)) {
            return first(new Reads(portal), plan, reading);
        }
    }

    private PreparedQuery plan(List<Query.Item> items, Source from, Names names) {
        return portal.engine().duck().prepare(Query.of(Query.Select.of(items, Optional.of(from))), names);
    }

    private static Source source(TableName name, String called) {
        return new Source.Table(
                List.of(name.namespace(), name.name()), OptionalLong.empty(), new Source.Alias(called), At.NOWHERE);
    }

    private static String called(SqlTable table, Optional<String> alias) {
        return alias.orElse(table.name().name());
    }

    /** Evaluates a list of expressions for each of the rows, which have all columns of the table. */
    ListedRows listed(
            List<Query.Item> items,
            List<@Nullable Object[]> given,
            SqlTable table,
            Optional<String> alias,
            Transaction transaction) {
        Relation rows = new RowsRelation(TABLE, table.columns(), List.of(), () -> given);
        PreparedQuery plan =
                plan(items, source(TABLE, called(table, alias)), new RowNames(session.names(), rows, rows));
        List<@Nullable Object[]> computed = new ArrayList<>();
        // Subqueries read one snapshot; outside a transaction the one before the statement, as in PostgreSQL.
        try (TransactionState.Reading reading = session.transaction().reading(false);
                QueryRows result = new Reads(portal).run(plan, reading)) {
            while (result.next()) {
                transaction.holdScratch(StatementMemory.sizeOf(result.row()));
                computed.add(result.row().clone());
            }
            return new ListedRows(result.columns(), computed);
        }
    }

    /** Resolves names as the session does, and the two rows as tables. */
    private record RowNames(Names names, Relation own, Relation excluded) implements Names {
        @Override
        public String namespace() {
            return names.namespace();
        }

        @Override
        public Optional<Relation> relation(TableName name) {
            if (name.equals(TABLE)) {
                return Optional.of(own);
            }
            return name.equals(EXCLUDED) ? Optional.of(excluded) : names.relation(name);
        }

        @Override
        public Optional<Relation> version(TableName name, long version) {
            return names.version(name, version);
        }

        @Override
        public Optional<ViewDef> view(TableName name) {
            return names.view(name);
        }

        @Override
        public Names in(String namespace) {
            return names.in(namespace);
        }

        @Override
        public String user() {
            return names.user();
        }
    }
}
