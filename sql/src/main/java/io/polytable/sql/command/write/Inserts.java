package io.polytable.sql.command.write;

import io.polytable.frontend.user.Privilege;
import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.command.plan.RowPolicies;
import io.polytable.sql.command.plan.TableRules;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.IndexDef;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.model.transaction.TableWriter;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs INSERT, with ON CONFLICT and RETURNING. */
public final class Inserts {
    private static final @Nullable Object[] NOTHING = new Object[0];

    private static final int KEPT_ROWS_MAX = 16;

    private final Portal portal;
    private final Session session;

    public Inserts(Portal portal) {
        this.portal = portal;
        session = portal.session();
    }

    public Outcome insert(Statement.Insert insert) {
        Plan.Insert plan = (Plan.Insert) portal.plan(() -> plan(insert));
        return session.transaction()
                .write(plan.table(), plan.byKey(), transaction -> new Writing(plan, transaction).run());
    }

    /** Resolves and compiles the statement. */
    public Plan.Insert plan(Statement.Insert given) {
        List<Privilege> needed = needed(given);
        SqlTable table = session.table(given.table(), needed.toArray(Privilege[]::new));
        Statement.Insert insert = resolved(table, given);
        int[] targets = targets(table.def(), insert);
        List<List<Optional<Plan.Computed>>> rows = isKept(insert)
                ? ((Statement.Source.Rows) insert.source())
                        .rows().stream()
                                .map(values -> compiled(table.def(), insert, values, targets))
                                .toList()
                : List.of();
        return new Plan.Insert(
                insert,
                table,
                new TableRules(table),
                targets,
                rows,
                Returning.projection(table, insert.alias(), insert.returning()),
                needed.contains(Privilege.SELECT),
                insert.source() instanceof Statement.Source.Rows of && isOurs(of));
    }

    /** Whether to keep the compiled rows: of statements with parameters, but of few rows, because no budget counts them. */
    private boolean isKept(Statement.Insert insert) {
        return portal.parameters().length > 0
                && insert.source() instanceof Statement.Source.Rows rows
                && rows.rows().size() <= KEPT_ROWS_MAX;
    }

    private static List<Optional<Plan.Computed>> compiled(
            TableDef def, Statement.Insert insert, List<Optional<Expression>> values, int[] targets) {
        boolean fits = insert.columns().isEmpty() ? values.size() <= targets.length : values.size() == targets.length;
        if (!fits) {
            throw new SqlError(
                    SqlCode.SYNTAX_ERROR,
                    "INSERT has " + (values.size() > targets.length ? "more" : "fewer")
                            + " expressions than target columns",
                    insert.table().position());
        }
        List<Optional<Plan.Computed>> computed = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            ColumnDef column = def.columns().get(targets[i]);
            computed.add(values.get(i).map(value -> new Plan.Computed(value, compiled(value, column))));
        }
        return computed;
    }

    private static Optional<Compiled> compiled(Expression value, ColumnDef column) {
        try {
            return Optional.of(new ExprCompiler(new Columns()).compileAs(value, column.type()));
        } catch (NotCompilable notOurs) {
            return Optional.empty();
        } catch (SqlError error) {
            throw named(error, column).at(value.position());
        }
    }

    /** As in PostgreSQL: whoever sees rows, of RETURNING or of a conflict, needs SELECT. */
    private static List<Privilege> needed(Statement.Insert insert) {
        List<Privilege> needed = new ArrayList<>(List.of(Privilege.INSERT));
        boolean reads =
                insert.onConflict().filter(clause -> !clause.target().isEmpty()).isPresent();
        boolean updates = insert.onConflict()
                .filter(clause -> !clause.assignments().isEmpty())
                .isPresent();
        if (!insert.returning().isEmpty() || reads || updates) {
            needed.add(Privilege.SELECT);
        }
        if (updates) {
            needed.add(Privilege.UPDATE);
        }
        return needed;
    }

    /** Replaces the name of a constraint in ON CONFLICT by its columns. */
    private static Statement.Insert resolved(SqlTable table, Statement.Insert insert) {
        Optional<Statement.OnConflict> named =
                insert.onConflict().filter(clause -> clause.constraint().isPresent());
        if (named.isEmpty()) {
            return insert;
        }
        TableDef def = table.def();
        String name = named.get().constraint().orElseThrow();
        List<String> columns = name.equals(def.name().name() + "_pkey") && !def.hasRowId()
                ? def.keyNames()
                : def.index(name)
                        .filter(IndexDef::unique)
                        .map(index -> index.columns().stream()
                                .map(id -> def.columns().get(def.indexOfId(id)).name())
                                .toList())
                        .orElseThrow(() -> new SqlError(
                                SqlCode.UNDEFINED_OBJECT,
                                "constraint \"" + name + "\" for table \""
                                        + def.name().name() + "\" does not exist",
                                named.get().position()));
        return new Statement.Insert(
                insert.table(),
                insert.alias(),
                insert.columns(),
                insert.source(),
                Optional.of(named.get().about(columns)),
                insert.returning());
    }

    private static boolean isOurs(Statement.Source.Rows rows) {
        return rows.rows().stream()
                .flatMap(List::stream)
                .flatMap(Optional::stream)
                .noneMatch(Inserts::reads);
    }

    /** Whether it reads rows of other tables. */
    static boolean reads(Expression value) {
        return value.has(part -> part instanceof Expression.Subquery || part instanceof Expression.Quantified);
    }

    private static int[] targets(TableDef def, Statement.Insert insert) {
        if (insert.columns().isEmpty()) {
            int[] all = new int[def.columns().size()];
            for (int i = 0; i < all.length; i++) {
                all[i] = i;
            }
            return all;
        }
        Set<String> seen = new HashSet<>();
        return insert.columns().stream()
                .mapToInt(name -> {
                    if (!seen.add(name)) {
                        throw new SqlError(
                                SqlCode.DUPLICATE_COLUMN, "column \"" + name + "\" specified more than once");
                    }
                    return Changes.requireColumn(def, name, insert.table().position());
                })
                .toArray();
    }

    /** One attempt at the statement, in one transaction; a write conflict leads to another. */
    private final class Writing {
        private final Plan.Insert plan;
        private final Statement.Insert insert;
        private final SqlTable table;
        private final TableDef def;
        private final Transaction transaction;
        private final Environment environment = portal.given();
        private final TableWriter writer;
        private final TableRules rules;
        private final Returning returning;
        private final Set<String> arbiter;
        private final Optional<RowPolicies> policies;
        private final Set<Object> touched = new HashSet<>();
        private long count;

        Writing(Plan.Insert plan, Transaction transaction) {
            this.plan = plan;
            this.transaction = transaction;
            insert = plan.insert();
            table = plan.table();
            def = table.def();
            rules = plan.rules();
            arbiter = insert.onConflict()
                    .map(clause -> Set.copyOf(clause.target()))
                    .orElse(Set.of());
            policies = session.policies(table);
            writer = session.writer(table, transaction, environment);
            returning = new Returning(portal, environment, table, insert.alias(), insert.returning(), plan.returning());
        }

        Outcome run() {
            insert.onConflict().ifPresent(this::requireTarget);
            if (!plan.rows().isEmpty()) {
                plan.rows().forEach(row -> put(given(row)));
            } else if (insert.source() instanceof Statement.Source.Rows rows) {
                rows.rows().forEach(row -> put(given(compiled(def, insert, row, plan.targets()))));
            } else if (insert.source() instanceof Statement.Source.Selected selected) {
                fromQuery(selected.query(), plan.targets());
            } else {
                put(completed(
                        new Object[def.columns().size()],
                        new boolean[def.columns().size()]));
            }
            return returning.outcome("INSERT", count, transaction);
        }

        private @Nullable Object[] given(List<Optional<Plan.Computed>> values) {
            @Nullable Object[] row = new Object[def.columns().size()];
            boolean[] set = new boolean[row.length];
            for (int i = 0; i < values.size(); i++) {
                if (values.get(i).isPresent()) {
                    int target = plan.targets()[i];
                    row[target] = value(values.get(i).get(), def.columns().get(target));
                    set[target] = true;
                }
            }
            return completed(row, set);
        }

        private @Nullable Object value(Plan.Computed value, ColumnDef column) {
            if (value.compiled().isEmpty()) {
                Object computed = new DuckExpressions(portal).value(value.expression(), transaction);
                return assigned(computed, column, value.expression().position());
            }
            try {
                return value.compiled().get().value(environment);
            } catch (SqlError error) {
                throw named(error, column).at(value.expression().position());
            }
        }

        private @Nullable Object assigned(@Nullable Object value, ColumnDef column, int position) {
            try {
                return Casts.assigned(column.type(), value);
            } catch (SqlError error) {
                throw named(error, column).at(position);
            }
        }

        private @Nullable Object[] completed(@Nullable Object[] row, boolean[] set) {
            for (int i = 0; i < row.length; i++) {
                if (!set[i]) {
                    row[i] = rules.defaultOf(i, environment);
                }
            }
            return row;
        }

        private void fromQuery(Query query, int[] targets) {
            TransactionState.Reading reading = new TransactionState.Reading(transaction, () -> {});
            List<@Nullable Object[]> rows = new ArrayList<>();
            // Read all rows before writing any: the query must not see the statement's own writes.
            try (QueryRows result = new Reads(portal).query(query, reading)) {
                boolean fits = insert.columns().isEmpty()
                        ? result.columns().size() <= targets.length
                        : result.columns().size() == targets.length;
                if (!fits) {
                    throw new SqlError(
                            SqlCode.SYNTAX_ERROR,
                            "INSERT has another number of expressions than target columns",
                            query.at().offset());
                }
                while (result.next()) {
                    transaction.holdScratch(StatementMemory.sizeOf(result.row()));
                    rows.add(result.row().clone());
                }
            }
            for (@Nullable Object[] values : rows) {
                @Nullable Object[] row = new Object[def.columns().size()];
                boolean[] set = new boolean[row.length];
                for (int i = 0; i < values.length; i++) {
                    row[targets[i]] = assigned(
                            values[i], def.columns().get(targets[i]), query.at().offset());
                    set[targets[i]] = true;
                }
                put(completed(row, set));
            }
        }

        private void put(@Nullable Object[] row) {
            session.cancellation().check();
            policies.ifPresent(all -> all.requireInsertable(row, plan.reads()));
            rules.pass(row, environment);
            Optional<TableWriter.Conflict> conflict = writer.insert(row, arbiter);
            if (conflict.isEmpty()) {
                if (insert.onConflict().isPresent()) {
                    transaction.holdScratch(StatementMemory.sizeOf(row));
                    touched.add(writer.inserted());
                }
                count++;
                returned(row);
            } else {
                resolve(conflict.get(), row);
            }
        }

        private void resolve(TableWriter.Conflict conflict, @Nullable Object[] row) {
            Statement.OnConflict clause = insert.onConflict().orElseThrow(conflict::error);
            if (!conflict.isOn(arbiter)) {
                throw conflict.error();
            }
            if (clause.assignments().isEmpty()) {
                return;
            }
            if (!touched.add(conflict.present().key().bytes())) {
                throw new SqlError(
                        SqlCode.CARDINALITY_VIOLATION,
                        "ON CONFLICT DO UPDATE command cannot affect row a second time",
                        clause.position());
            }
            update(clause, conflict.present(), row);
        }

        private void requireTarget(Statement.OnConflict clause) {
            clause.target().forEach(name -> Changes.requireColumn(def, name, clause.position()));
            if (!clause.target().isEmpty() && !table.isUnique(clause.target())) {
                throw new SqlError(
                        SqlCode.INVALID_COLUMN_REFERENCE,
                        "there is no unique or exclusion constraint matching the ON CONFLICT specification",
                        clause.position());
            }
        }

        /** DO UPDATE: {@code present} is the existing row, {@code row} the one to insert, called {@code excluded}. */
        private void update(Statement.OnConflict clause, StoredRow present, @Nullable Object[] row) {
            // Before the conditions, whose errors could show values of a hidden row.
            policies.ifPresent(all -> all.requireReplaceable(present.values()));
            Columns columns = new Columns()
                    .with(
                            List.of(
                                    insert.alias().orElse(def.name().name()),
                                    def.name().toString()),
                            Reads.shown(table))
                    .with(List.of("excluded"), Reads.shown(table));
            ExprCompiler compiler = new ExprCompiler(columns);
            @Nullable Object[] both = new Object[row.length * 2];
            System.arraycopy(present.values(), 0, both, 0, row.length);
            System.arraycopy(row, 0, both, row.length, row.length);
            DuckExpressions duck = new DuckExpressions(portal);
            if (clause.where().isPresent()) {
                Expression where = clause.where().get();
                Object holds = duck.computed(where, compiler, both, table, insert.alias());
                if (!Boolean.TRUE.equals(holds)) {
                    return;
                }
            }
            @Nullable Object[] changed = present.values().clone();
            for (Statement.Assignment assignment : clause.assignments()) {
                int column = Changes.requireColumn(def, assignment.column(), assignment.position());
                Object value = assignment.value().isPresent()
                        ? duck.computed(assignment.value().get(), compiler, both, table, insert.alias())
                        : rules.defaultOf(column, environment);
                changed[column] = assigned(value, def.columns().get(column), assignment.position());
            }
            policies.ifPresent(all -> all.requireChanged(changed, plan.reads()));
            rules.pass(changed, environment);
            writer.update(present, changed);
            count++;
            returned(changed);
        }

        private void returned(@Nullable Object[] row) {
            if (returning.isWanted()) {
                transaction.holdScratch(StatementMemory.sizeOf(row));
            }
            returning.add(row, environment.current(), NOTHING);
        }
    }

    /** The same error with the column's name, unless it has one already. */
    static SqlError named(SqlError error, ColumnDef column) {
        return error.text().contains("column \"")
                ? error
                : new SqlError(error.code(), error.text() + " (column \"" + column.name() + "\")", error.position());
    }
}
