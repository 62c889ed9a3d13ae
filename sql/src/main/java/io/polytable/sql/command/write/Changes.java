package io.polytable.sql.command.write;

import io.polytable.frontend.user.Privilege;
import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.command.plan.PointKey;
import io.polytable.sql.command.plan.RowPolicies;
import io.polytable.sql.command.plan.Selection;
import io.polytable.sql.command.plan.TableRules;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.PolicyDef.Command;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.model.transaction.TableWriter;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.tree.Query;
import io.polytable.sql.type.Casts;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Direction;
import io.polytable.table.RowKey;
import io.polytable.table.TableKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Runs UPDATE and DELETE. Finds rows by key or by its own scan, or has DuckDB pick them if only it can. */
public final class Changes {
    private static final @Nullable Object[] NOTHING = new Object[0];

    private final Portal portal;
    private final Session session;

    public Changes(Portal portal) {
        this.portal = portal;
        session = portal.session();
    }

    public static int requireColumn(TableDef def, String name, int position) {
        int index = def.indexOf(name);
        if (index < 0) {
            throw new SqlError(
                    SqlCode.UNDEFINED_COLUMN,
                    "column \"" + name + "\" of relation \"" + def.name().name() + "\" does not exist",
                    position);
        }
        return index;
    }

    public Outcome update(Statement.Update update) {
        Plan.Change plan = (Plan.Change) portal.plan(() -> plan(update));
        return run(plan, "UPDATE", update.returning(), (writing, row) -> writing.update(row));
    }

    public Outcome delete(Statement.Delete delete) {
        Plan.Change plan = (Plan.Change) portal.plan(() -> plan(delete));
        return run(plan, "DELETE", delete.returning(), Writing::delete);
    }

    public Plan.Change plan(Statement.Update update) {
        boolean reads = readsRows(update);
        SqlTable table = session.table(update.rows().table(), needed(Privilege.UPDATE, reads));
        if (table.def().kind() == TableKind.STREAM) {
            throw new SqlError(
                    SqlCode.WRONG_OBJECT_TYPE,
                    "stream table " + table.name() + " only takes new rows: no UPDATE",
                    update.rows().table().position());
        }
        int[] targets = new int[update.assignments().size()];
        for (int i = 0; i < targets.length; i++) {
            Statement.Assignment assignment = update.assignments().get(i);
            targets[i] = requireColumn(table.def(), assignment.column(), assignment.position());
            requireOnce(targets, i, assignment);
        }
        List<Optional<Expression>> values =
                update.assignments().stream().map(Statement.Assignment::value).toList();
        SqlTable visible = session.visible(table, rights(Command.UPDATE, reads));
        return plan(visible, update.rows(), reads, targets, values, update.returning());
    }

    public Plan.Change plan(Statement.Delete delete) {
        boolean reads = readsRows(delete.rows(), delete.returning());
        SqlTable table = session.table(delete.rows().table(), needed(Privilege.DELETE, reads));
        SqlTable visible = session.visible(table, rights(Command.DELETE, reads));
        return plan(visible, delete.rows(), reads, new int[0], List.of(), delete.returning());
    }

    private static Plan.Change plan(
            SqlTable table,
            Statement.Rows rows,
            boolean reads,
            int[] targets,
            List<Optional<Expression>> values,
            List<Query.Item> returning) {
        Optional<Selection> selection = Optional.empty();
        List<Optional<Compiled>> computed = List.of();
        if (rows.isPlain()) {
            ExprCompiler compiler = Reads.compiler(table, rows.alias());
            try {
                computed = values.stream()
                        .map(value -> value.map(compiler::compile))
                        .toList();
                selection = Optional.of(Selection.of(rows.where(), compiler, table));
            } catch (NotCompilable beyond) {
                selection = Optional.empty();
            }
        }
        return new Plan.Change(
                rows,
                table,
                new TableRules(table),
                reads,
                selection.isPresent() ? rows.where().flatMap(where -> PointKey.of(where, table)) : Optional.empty(),
                selection,
                targets,
                values,
                computed,
                rows.others().isPresent() ? Optional.empty() : Returning.projection(table, rows.alias(), returning));
    }

    private Outcome run(
            Plan.Change plan, String what, List<Query.Item> returning, BiConsumer<Writing, PickedRow> change) {
        SqlTable table = plan.table();
        Environment first = portal.given();
        Optional<RowKey> point = plan.point().flatMap(key -> key.key(table, session.user(), first.parameters()));
        Optional<AccessPath> path =
                point.isPresent() ? Optional.empty() : plan.rows().map(rows -> rows.path(table, first));
        // No snapshot is needed to change one row by key.
        boolean byKey = point.isPresent() || (path.isPresent() && path.get() instanceof AccessPath.Point);
        return session.transaction().write(table.whole(), byKey, transaction -> {
            Writing writing = new Writing(plan, transaction, returning);
            List<PickedRow> rows = point.isPresent()
                    ? writing.named(point.get())
                    : path.isPresent() ? writing.ours(path.get()) : writing.byDuck();
            // All rows are found before the first is written: a changed row must not be found again.
            for (PickedRow row : rows) {
                session.cancellation().check();
                change.accept(writing, row);
            }
            return writing.returning.outcome(what, writing.count, transaction);
        });
    }

    private static Privilege[] needed(Privilege privilege, boolean readsRows) {
        return readsRows ? new Privilege[] {privilege, Privilege.SELECT} : new Privilege[] {privilege};
    }

    /** Whether the statement needs SELECT beside UPDATE, as in PostgreSQL: it names a column other than to set it. */
    private static boolean readsRows(Statement.Update update) {
        return readsRows(update.rows(), update.returning())
                || !update.assignments().stream()
                        .flatMap(assignment -> assignment.value().stream())
                        .allMatch(Changes::isGiven);
    }

    private static boolean readsRows(Statement.Rows rows, List<Query.Item> returning) {
        return !rows.isPlain() || !rows.where().stream().allMatch(Changes::isGiven) || !returning.isEmpty();
    }

    private static boolean isGiven(Expression value) {
        return value instanceof Expression.Constant || value instanceof Expression.Parameter;
    }

    private static List<Command> rights(Command command, boolean reads) {
        return reads ? List.of(command, Command.SELECT) : List.of(command);
    }

    private static void requireOnce(int[] columns, int last, Statement.Assignment assignment) {
        for (int i = 0; i < last; i++) {
            if (columns[i] == columns[last]) {
                throw new SqlError(
                        SqlCode.SYNTAX_ERROR,
                        "multiple assignments to same column \"" + assignment.column() + "\"",
                        assignment.position());
            }
        }
    }

    /** One attempt at the statement, in one transaction. */
    private final class Writing {
        private final Plan.Change plan;
        private final SqlTable table;
        private final Transaction transaction;
        private final Environment environment = portal.given();
        private final Optional<RowPolicies> policies;
        private final TableWriter writer;
        private final Returning returning;
        private long count;

        Writing(Plan.Change plan, Transaction transaction, List<Query.Item> items) {
            this.plan = plan;
            this.transaction = transaction;
            table = plan.table();
            transaction.reads(table);
            policies = session.policies(table);
            writer = session.writer(table.whole(), transaction, environment);
            returning = new Returning(portal, environment, table, plan.target().alias(), items, plan.returning());
        }

        /** The row of a key, which is all that the condition asks for. */
        List<PickedRow> named(RowKey key) {
            List<PickedRow> picked = new ArrayList<>(1);
            table.get(transaction, key)
                    .filter(row -> !row.isDeleted())
                    .ifPresent(row -> add(row, table.shown(row), picked));
            return picked;
        }

        List<PickedRow> byDuck() {
            RowPicker picker = new RowPicker(portal).withFromValues(returning.isWanted());
            List<PickedRow> picked = picker.pick(plan, transaction);
            if (plan.target().others().isPresent()) {
                returning.compileWith(picker.fromTables());
            }
            return picked;
        }

        List<PickedRow> ours(AccessPath path) {
            List<PickedRow> picked = new ArrayList<>();
            if (path instanceof AccessPath.Point one) {
                table.get(transaction, one.row()).ifPresent(row -> addIfWanted(row, picked));
                return picked;
            }
            try (StoredRows rows = table.rows(transaction, session.user(), path, Direction.FORWARD)) {
                while (rows.next()) {
                    session.cancellation().check();
                    addIfWanted(rows.row(), picked);
                }
            }
            return picked;
        }

        private void addIfWanted(StoredRow row, List<PickedRow> picked) {
            @Nullable Object[] shown = row.isDeleted() ? NOTHING : table.shown(row);
            if (!row.isDeleted() && plan.rows().orElseThrow().holds(shown, environment)) {
                add(row, shown, picked);
            }
        }

        private void add(StoredRow row, @Nullable Object[] shown, List<PickedRow> picked) {
            @Nullable Object[] values = new Object[plan.computed().size()];
            for (int i = 0; i < values.length; i++) {
                Optional<Compiled> computed = plan.computed().get(i);
                values[i] = computed.isPresent() ? computed.get().value(shown, environment) : null;
            }
            transaction.holdScratch(StatementMemory.sizeOf(shown) + StatementMemory.sizeOf(values));
            picked.add(new PickedRow(row, values, NOTHING));
        }

        void update(PickedRow picked) {
            StoredRow row = picked.row();
            @Nullable Object[] changed = row.values().clone();
            for (int i = 0; i < plan.targets().length; i++) {
                int target = plan.targets()[i];
                ColumnDef column = table.def().columns().get(target);
                Optional<Expression> given = plan.values().get(i);
                Object value =
                        given.isPresent() ? picked.values()[i] : plan.rules().defaultOf(target, environment);
                try {
                    changed[target] = Casts.assigned(column.type(), value);
                } catch (SqlError error) {
                    int position = given.map(Expression::position).orElse(SqlError.NOWHERE);
                    throw Inserts.named(error, column).at(position);
                }
            }
            policies.ifPresent(all -> all.requireChanged(changed, plan.reads()));
            plan.rules().pass(changed, environment);
            writer.update(row, changed);
            count++;
            returning.add(changed, environment.current(), picked.fromValues());
        }

        void delete(PickedRow picked) {
            StoredRow row = picked.row();
            writer.delete(row);
            count++;
            returning.add(row.values(), row.updated(), picked.fromValues());
        }
    }
}
