package io.polytable.sql.command.write;

import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
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
import io.polytable.sql.syntax.Fragment;
import io.polytable.sql.syntax.Quoted;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions of writes that are beyond our own compiler: has DuckDB compute them. */
final class DuckExpressions {
    private static final TableName TABLE = new TableName("polytable", "row");
    private static final TableName EXCLUDED = new TableName("polytable", "excluded");

    private final SqlEngine engine;
    private final Session session;
    private final @Nullable Object[] parameters;

    DuckExpressions(SqlEngine engine, Session session, @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.parameters = parameters;
    }

    /** Evaluates an expression that refers to no row; it may have subqueries. */
    @Nullable
    Object value(Fragment fragment, Transaction transaction) {
        TransactionState.Reading reading = new TransactionState.Reading(transaction, () -> {});
        String prefix = "SELECT ";
        try (QueryRows rows = new Reads(engine, session, parameters)
                .query(prefix + fragment.text(), fragment.position() - prefix.length(), reading)) {
            return rows.next() ? rows.row()[0] : null;
        }
    }

    /** Evaluates an expression of ON CONFLICT; {@code both} has the existing row, then the excluded one. */
    @Nullable
    Object computed(
            Fragment fragment, ExprCompiler compiler, @Nullable Object[] both, SqlTable table, Optional<String> alias) {
        try {
            return compiler.compile(fragment.expr().orElseThrow(() -> new NotCompilable("an expression")))
                    .value(both, parameters);
        } catch (NotCompilable notOurs) {
            return throughDuck(fragment, both, table, alias);
        }
    }

    private @Nullable Object throughDuck(
            Fragment fragment, @Nullable Object[] both, SqlTable table, Optional<String> alias) {
        int width = both.length / 2;
        List<Relation.RelationColumn> columns = Reads.shown(table);
        Relation own = new RowsRelation(
                TABLE, columns, List.of(), () -> List.<@Nullable Object[]>of(Arrays.copyOf(both, width)));
        Relation excluded = new RowsRelation(
                EXCLUDED,
                columns,
                List.of(),
                () -> List.<@Nullable Object[]>of(Arrays.copyOfRange(both, width, both.length)));
        String sql = "SELECT " + fragment.text() + " FROM polytable.row AS " + called(table, alias)
                + ", polytable.excluded AS excluded";
        PreparedQuery plan = engine.duck().prepare(sql, new RowNames(session.names(), own, excluded));
        try (TransactionState.Reading reading = session.transaction().reading(false);
                QueryRows rows = engine.duck()
                        .run(
                                plan,
                                reading.transaction().forQueries(plan.query().ownTables()),
                                session.user(),
                                parameters,
                                session.times(),
                                session.cancellation(),
                                () -> {})) {
            return rows.next() ? rows.row()[0] : null;
        } catch (SqlError error) {
            throw error.at(fragment.position());
        }
    }

    private static String called(SqlTable table, Optional<String> alias) {
        return Quoted.name(alias.orElse(table.name().name()));
    }

    /** Evaluates a list of expressions for each of the rows, which have all columns of the table. */
    ListedRows listed(
            String list,
            List<@Nullable Object[]> given,
            SqlTable table,
            Optional<String> alias,
            Transaction transaction) {
        Relation rows = new RowsRelation(TABLE, table.columns(), List.of(), () -> given);
        String sql = "SELECT " + list + " FROM polytable.row AS " + called(table, alias);
        PreparedQuery plan = engine.duck().prepare(sql, new RowNames(session.names(), rows, rows));
        List<@Nullable Object[]> computed = new ArrayList<>();
        // Subqueries read one snapshot; outside a transaction the one before the statement, as in PostgreSQL.
        try (TransactionState.Reading reading = session.transaction().reading(false);
                QueryRows result = engine.duck()
                        .run(
                                plan,
                                reading.transaction().forQueries(plan.query().ownTables()),
                                session.user(),
                                parameters,
                                session.times(),
                                session.cancellation(),
                                () -> {})) {
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
