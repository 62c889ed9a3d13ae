package io.polytable.sql.command;

import io.polytable.frontend.session.Principal.Role;
import io.polytable.sql.command.definition.Definitions;
import io.polytable.sql.command.file.FileStatements;
import io.polytable.sql.command.introspection.Listings;
import io.polytable.sql.command.read.Explanations;
import io.polytable.sql.command.read.Reads;
import io.polytable.sql.command.session.Outcome;
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

    private final SqlEngine engine;
    private final Session session;
    private int depth;

    Dispatcher(SqlEngine engine, Session session) {
        this.engine = engine;
        this.session = session;
    }

    Outcome run(Statement statement, @Nullable Object[] parameters) {
        if (statement instanceof Statement.Select select) {
            return redefinable(() -> new Outcome.Rows(new Reads(engine, session, parameters).select(select)));
        }
        if (isWrite(statement)) {
            return redefinable(() -> written(statement, parameters));
        }
        if (Definitions.isDefinition(statement)) {
            Outcome outcome = new Definitions(engine, session).run(statement);
            engine.forgetDroppedGrants(statement);
            return outcome;
        }
        if (statement instanceof Statement.OfUsers ofUsers) {
            return new UserCommands(engine, session).run(ofUsers.statement());
        }
        if (statement instanceof Statement.Explain explain) {
            return new Outcome.Rows(new Explanations(engine, session, parameters)
                    .explain(explain, () -> run(explain.statement(), parameters)));
        }
        if (statement instanceof Statement.Show || statement instanceof Statement.Describe) {
            return new Outcome.Rows(new Listings(engine, session).list(statement));
        }
        return ofSession(statement, parameters);
    }

    private static boolean isWrite(Statement statement) {
        return statement instanceof Statement.Insert
                || statement instanceof Statement.Update
                || statement instanceof Statement.Delete;
    }

    /** Retries a statement outside a transaction if its table was redefined while it ran. */
    @SuppressWarnings("ReferenceEquality") // Every definition creates a new state.
    private Outcome redefinable(Supplier<Outcome> statement) {
        for (int attempt = 1; ; attempt++) {
            CatalogState before = engine.catalog().state();
            try {
                return statement.get();
            } catch (SqlError conflict) {
                boolean again = conflict.code() == SqlCode.SERIALIZATION_FAILURE
                        && !session.isInTransaction()
                        && engine.catalog().state() != before
                        && attempt < REDEFINED_MAX;
                if (!again) {
                    throw conflict;
                }
            }
        }
    }

    private Outcome written(Statement statement, @Nullable Object[] parameters) {
        if (statement instanceof Statement.Insert insert) {
            return new Inserts(engine, session, parameters).insert(insert);
        }
        if (statement instanceof Statement.Update update) {
            return new Changes(engine, session, parameters).update(update);
        }
        return new Changes(engine, session, parameters).delete((Statement.Delete) statement);
    }

    private Outcome ofSession(Statement statement, @Nullable Object[] parameters) {
        if (statement instanceof Statement.Execute execute) {
            return execute(execute, parameters);
        }
        if (statement instanceof Statement.ExecuteAs executeAs) {
            return executeAs(executeAs, parameters);
        }
        if (statement instanceof Statement.Prepare prepare) {
            return prepare(prepare);
        }
        if (statement instanceof Statement.Deallocate deallocate) {
            deallocate.name().ifPresentOrElse(session::deallocate, session::deallocateAll);
            return Outcome.done("DEALLOCATE");
        }
        if (statement instanceof Statement.SetVariable set) {
            return set(set);
        }
        if (statement instanceof Statement.SetTransaction set) {
            return set(set);
        }
        if (statement instanceof Statement.ResetVariable reset) {
            Variables.reset(session, reset.name());
            return Outcome.done("RESET");
        }
        if (statement instanceof Statement.ShowVariable show) {
            return shown(show.name(), Variables.show(session, show.name()));
        }
        if (statement instanceof Statement.Use use) {
            session.use(use.namespace());
            return Outcome.done("USE");
        }
        if (FileStatements.isFileStatement(statement)) {
            return new FileStatements(engine, session).run(statement);
        }
        if (statement instanceof Statement.KillQuery kill) {
            session.require(Role.DBA, "permission denied: only users with role dba or system end statements of others");
            engine.queries().kill(kill.id());
            return Outcome.done("KILL QUERY");
        }
        return ofTransaction(statement);
    }

    private Outcome ofTransaction(Statement statement) {
        TransactionState transaction = session.transaction();
        if (statement instanceof Statement.Begin begin) {
            return transaction.begin(begin.modes())
                    ? Outcome.done("BEGIN")
                    : Outcome.warned("BEGIN", SqlCode.ACTIVE_TRANSACTION, "there is already a transaction in progress");
        }
        if (statement instanceof Statement.Commit) {
            boolean warned = !transaction.isExplicit();
            return ended(transaction.commit() ? "COMMIT" : "ROLLBACK", warned);
        }
        if (statement instanceof Statement.Rollback rollback) {
            boolean warned = !transaction.isExplicit() && rollback.savepoint().isEmpty();
            rollback.savepoint().ifPresentOrElse(transaction::rollbackTo, transaction::rollback);
            return ended("ROLLBACK", warned);
        }
        if (statement instanceof Statement.Savepoint savepoint) {
            transaction.savepoint(savepoint.name());
            return Outcome.done("SAVEPOINT");
        }
        if (statement instanceof Statement.Release release) {
            transaction.release(release.name());
            return Outcome.done("RELEASE");
        }
        throw new IllegalStateException("Nobody runs " + statement);
    }

    /** Outside a transaction PostgreSQL warns: an error would surprise drivers, silence would surprise their users. */
    private static Outcome ended(String message, boolean warned) {
        return warned
                ? Outcome.warned(message, SqlCode.NO_TRANSACTION, "there is no transaction in progress")
                : Outcome.done(message);
    }

    private Outcome set(Statement.SetVariable set) {
        if (set.local() && !session.isInTransaction()) {
            return Outcome.warned("SET", SqlCode.NO_TRANSACTION, "SET LOCAL can only be used in transaction blocks");
        }
        Variables.set(session, set.name(), set.value(), set.local());
        return Outcome.done("SET");
    }

    private Outcome set(Statement.SetTransaction set) {
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

    private Outcome prepare(Statement.Prepare prepare) {
        session.prepare(prepare);
        return Outcome.done("PREPARE");
    }

    private Outcome execute(Statement.Execute execute, @Nullable Object[] parameters) {
        Statement.Prepare prepared = session.preparedStatement(execute.name());
        if (++depth > EXECUTE_DEPTH_MAX) {
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
        ExprCompiler compiler = new ExprCompiler(new Columns(), session.environment());
        @Nullable Object[] arguments = new Object[execute.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
            Expression argument = execute.arguments().get(i);
            try {
                arguments[i] = compiler.compile(argument).value(parameters);
            } catch (NotCompilable beyond) {
                throw new SqlError(SqlCode.UNSUPPORTED, "arguments are plain expressions", argument.position());
            }
        }
        return run(prepared.statement(), arguments);
    }

    private static boolean isOfTransaction(Statement statement) {
        return statement instanceof Statement.Begin
                || statement instanceof Statement.SetTransaction
                || statement instanceof Statement.Commit
                || statement instanceof Statement.Rollback
                || statement instanceof Statement.Savepoint
                || statement instanceof Statement.Release;
    }

    /** Runs one statement as another user. {@link Session#as} decides who may. */
    private Outcome executeAs(Statement.ExecuteAs executeAs, @Nullable Object[] parameters) {
        if (executeAs.user().isEmpty() || executeAs.user().length() > SqlEngine.USER_CHARS_MAX) {
            throw new SqlError(SqlCode.INVALID_VALUE, "a user id has 1 to " + SqlEngine.USER_CHARS_MAX + " characters");
        }
        if (isOfTransaction(executeAs.statement())) {
            throw new SqlError(SqlCode.UNSUPPORTED, "EXECUTE AS USER runs one statement, not a transaction");
        }
        // Closing the session is safe: outside a transaction, rows that the statement returns are read in a transaction
        // of their own.
        try (Session other = session.as(executeAs.user())) {
            return new Dispatcher(engine, other).run(executeAs.statement(), parameters);
        }
    }
}
