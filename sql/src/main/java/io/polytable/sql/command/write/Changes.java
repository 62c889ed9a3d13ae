package io.polytable.sql.command.write;

import io.polytable.frontend.user.Privilege;
import io.polytable.frontend.view.AccessPath;
import io.polytable.sql.command.compiled.RowPolicies;
import io.polytable.sql.command.compiled.TableRules;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.expr.Compiled;
import io.polytable.sql.expr.Conditions;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.PolicyDef.Command;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.relation.Relation.Condition;
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
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs UPDATE and DELETE. Finds rows by key or by its own scan, or has DuckDB pick them if only it can. */
public final class Changes {
    private static final @Nullable Object[] NOTHING = new Object[0];

    private final SqlEngine engine;
    private final Session session;
    private final @Nullable Object[] parameters;

    public Changes(SqlEngine engine, Session session, @Nullable Object[] parameters) {
        this.engine = engine;
        this.session = session;
        this.parameters = parameters;
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

    /**
     * The rows that a statement changes.
     *
     * @param table their table, with the rows that the statement may find
     */
    record Target(SqlTable table, Statement.Rows rows) {
        /** The name by which expressions refer to the table. */
        String called() {
            return rows.alias().orElse(table.name().name());
        }
    }

    public Outcome update(Statement.Update update) {
        boolean reads = readsRows(update);
        SqlTable table = session.table(update.rows().table(), needed(Privilege.UPDATE, reads));
        if (table.def().kind() == TableKind.STREAM) {
            throw new SqlError(
                    SqlCode.WRONG_OBJECT_TYPE,
                    "stream table " + table.name() + " only takes new rows: no UPDATE",
                    update.rows().table().position());
        }
        Target target = new Target(session.visible(table, rights(Command.UPDATE, reads)), update.rows());
        Optional<RowPolicies> policies = session.policies(table);
        int[] columns = new int[update.assignments().size()];
        for (int i = 0; i < columns.length; i++) {
            Statement.Assignment assignment = update.assignments().get(i);
            columns[i] = requireColumn(table.def(), assignment.column(), assignment.position());
            requireOnce(columns, i, assignment);
        }
        List<Optional<Expression>> values =
                update.assignments().stream().map(Statement.Assignment::value).toList();
        Optional<RowKey> point = pointKey(target);
        // A value that DuckDB computes may read other rows, which takes a snapshot: a flush may move them meanwhile.
        boolean byKey = isOurs(values) && (point.isPresent() || isPoint(target));
        return write(table, byKey, transaction -> {
            Writing writing = new Writing(target, point, transaction, update.returning());
            Consumer<@Nullable Object[]> allowed =
                    changed -> policies.ifPresent(all -> all.requireChanged(changed, reads));
            writing.pick(values, row -> writing.update(row, columns, values, allowed));
            return writing.returning.outcome("UPDATE", writing.count, transaction);
        });
    }

    private static Privilege[] needed(Privilege privilege, boolean readsRows) {
        return readsRows ? new Privilege[] {privilege, Privilege.SELECT} : new Privilege[] {privilege};
    }

    private static List<Command> rights(Command command, boolean reads) {
        return reads ? List.of(command, Command.SELECT) : List.of(command);
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

    /** Restarts over a snapshot if a statement that began by key turns out to need DuckDB. */
    private Outcome write(SqlTable table, boolean byKey, Function<Transaction, Outcome> body) {
        try {
            return session.transaction().write(table, byKey, body);
        } catch (NotCompilable beyond) {
            return session.transaction().write(table, false, body);
        }
    }

    /** Whether all values are expressions that we evaluate ourselves, from the row alone. */
    private static boolean isOurs(List<Optional<Expression>> values) {
        return values.stream().flatMap(Optional::stream).noneMatch(Inserts::reads);
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

    public Outcome delete(Statement.Delete delete) {
        boolean reads = readsRows(delete.rows(), delete.returning());
        SqlTable table = session.table(delete.rows().table(), needed(Privilege.DELETE, reads));
        Target target = new Target(session.visible(table, rights(Command.DELETE, reads)), delete.rows());
        Optional<RowKey> point = pointKey(target);
        boolean byKey = point.isPresent() || isPoint(target);
        return write(table, byKey, transaction -> {
            Writing writing = new Writing(target, point, transaction, delete.returning());
            writing.pick(List.of(), writing::delete);
            return writing.returning.outcome("DELETE", writing.count, transaction);
        });
    }

    /** The row's key, if the condition is exactly a primary key given by parameters. */
    private Optional<RowKey> pointKey(Target target) {
        if (parameters.length == 0 || !target.rows().isPlain()) {
            return Optional.empty();
        }
        SqlTable table = target.table();
        return target.rows()
                .where()
                .flatMap(where -> engine.rules().of(table).expressions().key(where, table))
                .flatMap(key -> key.key(table, session.user(), parameters));
    }

    /** Whether the statement changes one row by key and so needs no snapshot. */
    private boolean isPoint(Target target) {
        if (!target.rows().isPlain() || target.rows().where().isEmpty()) {
            return false;
        }
        try {
            return target.table().plan(session.user(), conditions(target, compiler(target)))
                    instanceof AccessPath.Point;
        } catch (NotCompilable notOurs) {
            return false;
        }
    }

    private ExprCompiler compiler(Target target) {
        return new Reads(engine, session, parameters)
                .compiler(target.table(), target.rows().alias());
    }

    private List<Condition> conditions(Target target, ExprCompiler compiler) {
        return target.rows()
                .where()
                .map(expr -> Conditions.of(expr, compiler, target.table().columns(), parameters))
                .orElse(List.of());
    }

    private interface Change {
        void to(PickedRow row);
    }

    /** One attempt at the statement, in one transaction. */
    private final class Writing {
        private final Target target;
        private final SqlTable table;
        private final Optional<RowKey> named;
        private final Transaction transaction;
        private final Environment environment = session.environment();
        private final TableWriter writer;
        private final TableRules rules;
        private final TableRules.RowCheck check;
        private final Returning returning;
        private long count;

        Writing(Target target, Optional<RowKey> named, Transaction transaction, List<Query.Item> items) {
            this.target = target;
            this.named = named;
            this.transaction = transaction;
            table = target.table();
            transaction.reads(table);
            writer = session.writer(table.whole(), transaction, environment);
            rules = engine.rules().of(table);
            check = rules.check(environment);
            returning = new Returning(engine, session, table, target.rows().alias(), items, parameters);
            if (target.rows().others().isEmpty()) {
                returning.compile();
            }
        }

        /** Finds all rows and computes their new values before it writes any: a changed row must not be found again. */
        void pick(List<Optional<Expression>> values, Change change) {
            List<PickedRow> picked;
            try {
                picked = ours(values);
            } catch (NotCompilable notOurs) {
                // The query and the write both read the row, so it must not change in between.
                if (!transaction.isOverSnapshot()) {
                    throw notOurs;
                }
                RowPicker picker = new RowPicker(engine, session, parameters).withFromValues(returning.isWanted());
                picked = picker.pick(target, values, transaction);
                if (target.rows().others().isPresent()) {
                    returning.compileWith(picker.fromTables());
                }
            }
            for (PickedRow row : picked) {
                session.cancellation().check();
                change.to(row);
            }
        }

        /** Picks the row of the key, with expressions from the cache of compiled statements. */
        private List<PickedRow> named(RowKey key, List<Optional<Expression>> values) {
            List<Optional<Compiled>> computing = new ArrayList<>(values.size());
            for (Optional<Expression> value : values) {
                computing.add(value.map(expr ->
                        rules.expressions().of(expr, () -> compiler(target).compile(expr))));
            }
            List<PickedRow> picked = new ArrayList<>(1);
            table.get(transaction, key).ifPresent(row -> add(row, Optional.empty(), computing, picked));
            return picked;
        }

        private List<PickedRow> ours(List<Optional<Expression>> values) {
            if (named.isPresent()) {
                return named(named.get(), values);
            }
            if (!target.rows().isPlain()) {
                throw new NotCompilable("other tables");
            }
            ExprCompiler compiler = compiler(target);
            Optional<Compiled> filter = target.rows().where().map(compiler::condition);
            List<Optional<Compiled>> computing =
                    values.stream().map(value -> value.map(compiler::compile)).toList();
            List<Condition> conditions = conditions(target, compiler);
            List<PickedRow> picked = new ArrayList<>();
            AccessPath path = table.plan(session.user(), conditions);
            if (path instanceof AccessPath.Point one) {
                table.get(transaction, one.row()).ifPresent(row -> add(row, filter, computing, picked));
                return picked;
            }
            try (StoredRows rows = table.rows(transaction, session.user(), path, Direction.FORWARD)) {
                while (rows.next()) {
                    session.cancellation().check();
                    add(rows.row(), filter, computing, picked);
                }
            }
            return picked;
        }

        private void add(
                StoredRow row, Optional<Compiled> filter, List<Optional<Compiled>> computing, List<PickedRow> picked) {
            if (row.isDeleted()) {
                return;
            }
            @Nullable Object[] shown = table.shown(row);
            if (filter.isPresent() && !filter.get().holds(shown, parameters)) {
                return;
            }
            @Nullable Object[] values = new Object[computing.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] =
                        computing.get(i).isPresent() ? computing.get(i).get().value(shown, parameters) : null;
            }
            transaction.holdScratch(StatementMemory.sizeOf(shown) + StatementMemory.sizeOf(values));
            picked.add(new PickedRow(row, values, NOTHING));
        }

        void update(
                PickedRow picked,
                int[] columns,
                List<Optional<Expression>> given,
                Consumer<@Nullable Object[]> allowed) {
            StoredRow row = picked.row();
            @Nullable Object[] computed = picked.values();
            @Nullable Object[] changed = row.values().clone();
            for (int i = 0; i < columns.length; i++) {
                ColumnDef column = table.def().columns().get(columns[i]);
                Object value = given.get(i).isPresent() ? computed[i] : rules.defaultOf(columns[i], environment);
                int position = given.get(i).map(Expression::position).orElse(SqlError.NOWHERE);
                try {
                    changed[columns[i]] = Casts.assigned(column.type(), value);
                } catch (SqlError error) {
                    throw Inserts.named(error, column).at(position);
                }
            }
            allowed.accept(changed);
            check.pass(changed);
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
