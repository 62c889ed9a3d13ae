package io.polytable.sql.command;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.sql.command.definition.Definitions;
import io.polytable.sql.command.file.FileStatements;
import io.polytable.sql.command.introspection.Listings;
import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.command.read.Explanations;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Portal;
import io.polytable.sql.command.session.Prepared;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.session.TransactionState;
import io.polytable.sql.command.session.Variables;
import io.polytable.sql.command.user.UserCommands;
import io.polytable.sql.command.write.Changes;
import io.polytable.sql.command.write.Inserts;
import io.polytable.sql.expr.Columns;
import io.polytable.sql.expr.ExprCompiler;
import io.polytable.sql.expr.NotCompilable;
import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.query.ListedRows;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tree.Expression;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.sql.type.SqlType;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs one statement of a session: dispatches it to the class that implements it. */
final class Dispatcher {
    private static final int EXECUTE_DEPTH_MAX = 20;

    /** How often a statement is retried because its table was redefined. */
    private static final int REDEFINED_MAX = 50;

    private static final Cases<Statement, Portal, Outcome> CASES = new Cases<Statement, Portal, Outcome>(
                    Statement.class)
            .on(
                    Statement.Select.class,
                    (select, run) -> redefinable(run, () -> new Outcome.Rows(new Reads(run).select(select))))
            .on(Statement.Insert.class, (insert, run) -> redefinable(run, () -> new Inserts(run).insert(insert)))
            .on(Statement.Update.class, (update, run) -> redefinable(run, () -> new Changes(run).update(update)))
            .on(Statement.Delete.class, (delete, run) -> redefinable(run, () -> new Changes(run).delete(delete)))
            .on(Statement.Definition.class, Dispatcher::define)
            .on(Statement.OfFiles.class, (work, run) -> new FileStatements(run.engine(), run.session()).run(work))
            .on(
                    Statement.OfUsers.class,
                    (users, run) -> new UserCommands(run.engine(), run.session()).run(users.statement()))
            .on(Statement.Explain.class, Dispatcher::explain)
            .on(Statement.Show.class, (show, run) -> new Outcome.Rows(new Listings(run).show(show)))
            .on(Statement.Describe.class, (table, run) -> new Outcome.Rows(new Listings(run).describe(table)))
            .on(Statement.Prepare.class, Dispatcher::prepare)
            .on(Statement.Execute.class, Dispatcher::execute)
            .on(Statement.ExecuteAs.class, Dispatcher::executeAs)
            .on(Statement.Deallocate.class, Dispatcher::deallocate)
            .on(Statement.SetVariable.class, (set, run) -> set(set, run.session()))
            .on(Statement.SetTransaction.class, (set, run) -> set(set, run.session()))
            .on(Statement.ResetVariable.class, Dispatcher::reset)
            .on(
                    Statement.ShowVariable.class,
                    (show, run) -> shown(show.name(), Variables.show(run.session(), show.name())))
            .on(Statement.Use.class, Dispatcher::use)
            .on(Statement.KillQuery.class, Dispatcher::kill)
            .on(Statement.Begin.class, Dispatcher::begin)
            .on(Statement.Commit.class, Dispatcher::commit)
            .on(Statement.Rollback.class, Dispatcher::rollback)
            .on(Statement.Savepoint.class, Dispatcher::savepoint)
            .on(Statement.Release.class, Dispatcher::release)
            .complete();

    /** The plans of statements, for EXPLAIN. */
    private static final Cases<Statement, Portal, Plan> PLANS = new Cases<Statement, Portal, Plan>(Statement.class)
            .on(Statement.class, (statement, run) -> new Plan.Command(statement))
            .on(Statement.Select.class, (select, run) -> new Reads(run).plan(select.query()))
            .on(Statement.Insert.class, (insert, run) -> new Inserts(run).plan(insert))
            .on(Statement.Update.class, (update, run) -> new Changes(run).plan(update))
            .on(Statement.Delete.class, (delete, run) -> new Changes(run).plan(delete))
            .complete();

    private Dispatcher() {}

    static Outcome run(Portal portal) {
        return CASES.of(portal.prepared().statement(), portal);
    }

    /** Retries a statement outside a transaction if its table was redefined while it ran. */
    @SuppressWarnings("ReferenceEquality") // Every definition creates a new state.
    private static Outcome redefinable(Portal run, Supplier<Outcome> statement) {
        for (int attempt = 1; ; attempt++) {
            CatalogState before = run.engine().catalog().state();
            try {
                return statement.get();
            } catch (SqlError conflict) {
                boolean again = conflict.code() == SqlCode.SERIALIZATION_FAILURE
                        && !run.session().isInTransaction()
                        && run.engine().catalog().state() != before
                        && attempt < REDEFINED_MAX;
                if (!again) {
                    throw conflict;
                }
            }
        }
    }

    private static Outcome define(Statement.Definition definition, Portal run) {
        Outcome outcome = new Definitions(run).run(definition);
        run.engine().forgetDroppedGrants(definition);
        return outcome;
    }

    private static Outcome explain(Statement.Explain explain, Portal run) {
        Portal inner = run.of(run.prepared().inner(), run.parameters());
        Explanations explanations = new Explanations(inner);
        Plan plan = PLANS.of(explain.statement(), inner);
        return explain.analyze() ? explanations.analyze(plan, () -> run(inner)) : explanations.explain(plan);
    }

    private static Outcome deallocate(Statement.Deallocate deallocate, Portal run) {
        deallocate.name().ifPresentOrElse(run.session()::deallocate, run.session()::deallocateAll);
        return Outcome.done("DEALLOCATE");
    }

    private static Outcome reset(Statement.ResetVariable reset, Portal run) {
        Variables.reset(run.session(), reset.name());
        return Outcome.done("RESET");
    }

    private static Outcome use(Statement.Use use, Portal run) {
        run.session().use(use.namespace());
        return Outcome.done("USE");
    }

    private static Outcome kill(Statement.KillQuery kill, Portal run) {
        run.session()
                .require(Role.DBA, "permission denied: only users with role dba or system end statements of others");
        run.engine().queries().kill(kill.id());
        return Outcome.done("KILL QUERY");
    }

    private static Outcome begin(Statement.Begin begin, Portal run) {
        return run.session().transaction().begin(begin.modes())
                ? Outcome.done("BEGIN")
                : Outcome.warned("BEGIN", SqlCode.ACTIVE_TRANSACTION, "there is already a transaction in progress");
    }

    private static Outcome commit(Statement.Commit commit, Portal run) {
        TransactionState transaction = run.session().transaction();
        boolean warned = !transaction.isExplicit();
        return ended(transaction.commit() ? "COMMIT" : "ROLLBACK", warned);
    }

    private static Outcome rollback(Statement.Rollback rollback, Portal run) {
        TransactionState transaction = run.session().transaction();
        boolean warned = !transaction.isExplicit() && rollback.savepoint().isEmpty();
        rollback.savepoint().ifPresentOrElse(transaction::rollbackTo, transaction::rollback);
        return ended("ROLLBACK", warned);
    }

    private static Outcome savepoint(Statement.Savepoint savepoint, Portal run) {
        run.session().transaction().savepoint(savepoint.name());
        return Outcome.done("SAVEPOINT");
    }

    private static Outcome release(Statement.Release release, Portal run) {
        run.session().transaction().release(release.name());
        return Outcome.done("RELEASE");
    }

    /** Outside a transaction PostgreSQL warns: an error would surprise drivers, silence would surprise their users. */
    private static Outcome ended(String message, boolean warned) {
        return warned
                ? Outcome.warned(message, SqlCode.NO_TRANSACTION, "there is no transaction in progress")
                : Outcome.done(message);
    }

    private static Outcome set(Statement.SetVariable set, Session session) {
        if (set.local() && !session.isInTransaction()) {
            return Outcome.warned("SET", SqlCode.NO_TRANSACTION, "SET LOCAL can only be used in transaction blocks");
        }
        Variables.set(session, set.name(), set.value(), set.local());
        return Outcome.done("SET");
    }

    private static Outcome set(Statement.SetTransaction set, Session session) {
        if (set.session()) {
            Variables.use(session, set.modes());
            return Outcome.done("SET");
        }
        if (!session.isInTransaction()) {
            return Outcome.warned(
                    "SET", SqlCode.NO_TRANSACTION, "SET TRANSACTION can only be used in transaction blocks");
        }
        session.transaction().use(set.modes());
        return Outcome.done("SET");
    }

    private static Outcome shown(String name, String value) {
        List<@Nullable Object[]> rows = List.<@Nullable Object[]>of(new @Nullable Object[] {value});
        return new Outcome.Rows(new ListedRows(List.of(new QueryRows.Output(name, SqlType.TEXT)), rows));
    }

    private static Outcome prepare(Statement.Prepare prepare, Portal run) {
        run.session().keep(run.prepared());
        return Outcome.done("PREPARE");
    }

    private static Outcome execute(Statement.Execute execute, Portal run) {
        Prepared prepared = run.session().preparedStatement(execute.name());
        if (run.depth() >= EXECUTE_DEPTH_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "prepared statements execute each other too deeply");
        }
        // A statement without parameters ignores arguments, as in PostgreSQL.
        if (prepared.parameters() > 0 && execute.arguments().size() != prepared.parameters()) {
            throw new SqlError(
                    SqlCode.SYNTAX_ERROR,
                    "wrong number of parameters for prepared statement \"" + execute.name() + "\": expected "
                            + prepared.parameters() + ", got "
                            + execute.arguments().size());
        }
        ExprCompiler compiler = new ExprCompiler(new Columns());
        @Nullable Object[] arguments = new Object[execute.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
            Expression argument = execute.arguments().get(i);
            try {
                arguments[i] = compiler.compile(argument).value(run.given());
            } catch (NotCompilable beyond) {
                throw new SqlError(SqlCode.UNSUPPORTED, "arguments are plain expressions", argument.position());
            }
        }
        return run(run.of(prepared, arguments));
    }

    /** Runs one statement as another user. {@link Session#as} decides who may. */
    private static Outcome executeAs(Statement.ExecuteAs executeAs, Portal run) {
        if (executeAs.user().isEmpty() || executeAs.user().length() > SqlEngine.USER_CHARS_MAX) {
            throw new SqlError(SqlCode.INVALID_VALUE, "a user id has 1 to " + SqlEngine.USER_CHARS_MAX + " characters");
        }
        if (executeAs.statement() instanceof Statement.OfTransaction
                || executeAs.statement() instanceof Statement.SetTransaction) {
            throw new SqlError(SqlCode.UNSUPPORTED, "EXECUTE AS USER runs one statement, not a transaction");
        }
        // Closing the session is safe: outside a transaction, rows that the statement returns are read in a transaction
        // of their own.
        try (Session other = run.session().as(executeAs.user(), run)) {
            return run(other.portal());
        }
    }
}
