package io.polytable.sql.command.session;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.AuditEntry.Event;
import io.polytable.frontend.user.Privilege;
import io.polytable.sql.command.plan.RowPolicies;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.model.definition.PolicyDef.Command;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.model.transaction.TableWriter;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.Names;
import io.polytable.sql.syntax.Name;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.syntax.UserStatement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Commit;
import io.polytable.table.StoreException;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A client's session: its user, default namespace, variables, prepared statements and transaction. Used by one thread
 * at a time, except {@link #cancel()}, which any thread may call.
 */
public final class Session implements AutoCloseable {
    public static final int PREPARED_MAX = 1000;

    /** The most heap bytes that a parsed statement takes per character; reached by a list of short names. */
    private static final long PREPARED_CHAR_BYTES = 110;

    private static final Duration JOB_TIME_MAX = Duration.ofDays(365);

    private static final long PREPARED_BYTES = 500;

    private final SqlEngine engine;
    private final String user;
    private final Map<String, Prepared> prepared = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private final TransactionState transaction;
    private String namespace = Catalog.DEFAULT;
    private volatile Portal portal;
    private String address = "";
    private io.polytable.frontend.session.Cancellation request = new io.polytable.frontend.session.Cancellation();
    private io.polytable.frontend.session.Session client = Sessions.detached(Principal.ROOT);

    /** Whether the transaction is that of another session, which ends it. */
    private final boolean isGuest;

    private boolean actedFor;

    /** What a transaction may change and a rollback restores. */
    record Chosen(Map<String, String> variables, String namespace) {}

    /** Receives the outcome of each statement of a text. */
    public interface Outcomes {
        void add(Outcome outcome) throws IOException;
    }

    Session(SqlEngine engine, String user) {
        this.engine = engine;
        this.user = user;
        isGuest = false;
        transaction = new TransactionState(engine, this);
        portal = Portal.idle(engine, this, engine.statementTimeout());
    }

    private Session(Session host, String user) {
        engine = host.engine;
        this.user = user;
        isGuest = true;
        transaction = host.transaction;
        portal = Portal.idle(engine, this, engine.statementTimeout());
    }

    /** The statements of a text. */
    public List<Prepared> prepare(String text) {
        return engine.prepare(text, meaning());
    }

    /** Runs a text that has exactly one statement. */
    public Outcome execute(String text, @Nullable Object... parameters) {
        List<Prepared> statements = prepare(text);
        if (statements.size() != 1) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "one statement is expected here");
        }
        return execute(statements.get(0), parameters);
    }

    /**
     * Runs the statements of one text. Several are one transaction, unless they begin and end transactions themselves.
     *
     * @param outcomes reads and closes each result set
     */
    public void executeAll(List<Prepared> statements, @Nullable Object[] parameters, Outcomes outcomes)
            throws IOException {
        if (statements.size() == 1) {
            executeInto(statements.get(0), parameters, outcomes);
            return;
        }
        transaction.beginBlock();
        boolean succeeded = false;
        try {
            for (Prepared statement : statements) {
                executeInto(statement, parameters, outcomes);
            }
            succeeded = true;
        } finally {
            transaction.endBlock(succeeded);
        }
    }

    private void executeInto(Prepared statement, @Nullable Object[] parameters, Outcomes outcomes) throws IOException {
        Outcome outcome = execute(statement, parameters);
        try {
            outcomes.add(outcome);
        } catch (RuntimeException failure) {
            transaction.failed();
            throw failure;
        }
    }

    /** Runs a statement. Its result set must be closed before the next one. */
    public Outcome execute(Prepared statement, @Nullable Object[] parameters) {
        if (parameters.length < statement.parameters()) {
            throw new SqlError(
                    SqlCode.UNDEFINED_PARAMETER,
                    "the statement takes " + statement.parameters() + " parameters, and " + parameters.length
                            + " were given");
        }
        long begun = System.nanoTime();
        Portal run = Portal.of(engine, this, statement, parameters, timeout());
        portal = run;
        if (request.isCancelled()) {
            cancel();
        }
        try {
            transaction.requireUsable(statement.statement());
            Outcome outcome = engine.statements().run(run);
            return transaction.isOpen() && outcome instanceof Outcome.Rows result
                    ? new Outcome.Rows(new WatchedRows(result.rows(), this::failed))
                    : outcome;
        } catch (RuntimeException failure) {
            failed();
            throw failure;
        } finally {
            long nanos = System.nanoTime() - begun;
            engine.log().record(user, () -> shown(statement), nanos / 1000);
            client.ran(user, nanos, () -> shown(statement));
        }
    }

    /**
     * Waits until the answer to the statements run so far may leave: everything that they may have seen is durable, and
     * this process still owns the log. Called before the first byte of the answer leaves, and at its end if it was
     * streamed.
     *
     * @throws SqlError at the statement's time limit, if it is cancelled, or if the log failed; the client must not see
     *     the answer
     */
    public void awaitSafe() {
        Commit seen = engine.answers().seen();
        if (engine.answers().isSafe(seen)) {
            return;
        }
        CompletableFuture<Void> safe = new CompletableFuture<>();
        engine.answers().whenSafe(seen, () -> safe.complete(null), safe::completeExceptionally);
        // Registered, so that it is listed and can be killed while it waits.
        long id = engine.queries().add(user, activity(), cancellation());
        try {
            cancellation().await(safe);
        } catch (StoreException lost) {
            failed();
            throw new SqlError(
                    SqlCode.UNAVAILABLE, "the result depends on commits that did not become durable: " + lost.error());
        } catch (RuntimeException failure) {
            failed();
            throw failure;
        } finally {
            engine.queries().remove(id);
        }
    }

    private void failed() {
        engine.log().failed();
        transaction.failed();
    }

    /** The text that others may see. The definition of a storage may contain secret keys, so it is replaced. */
    private static String shown(Prepared prepared) {
        return hiding(prepared.statement()).orElseGet(prepared::text);
    }

    /** What is shown in place of a text with a secret, which may be nested in another statement. */
    private static Optional<String> hiding(Statement statement) {
        if (statement instanceof Statement.CreateStorage || statement instanceof Statement.AlterStorage) {
            return Optional.of("(definition of a storage)");
        }
        if (statement instanceof Statement.OfUsers users) {
            boolean open = users.statement() instanceof UserStatement.Granting
                    || users.statement() instanceof UserStatement.ShowGrants;
            return open ? Optional.empty() : Optional.of("(definition of a user)");
        }
        if (statement instanceof Statement.SetVariable set && set.name().indexOf('.') >= 0) {
            // A setting of the server may be a password.
            return Optional.of("SET " + set.name() + " = ***");
        }
        if (statement instanceof Statement.Prepare prepare) {
            return hiding(prepare.statement());
        }
        if (statement instanceof Statement.ExecuteAs other) {
            return hiding(other.statement());
        }
        return statement instanceof Statement.Explain explain ? hiding(explain.statement()) : Optional.empty();
    }

    /** Replaces the statement's time limit by that of a background job, practically none. */
    public void useJobTimeLimit() {
        portal = Portal.idle(engine, this, JOB_TIME_MAX);
    }

    /**
     * The next statements are those of a client's request. Cancelling it cancels them.
     *
     * @return the request's cancellation
     */
    public io.polytable.frontend.session.Cancellation beginRequest(io.polytable.frontend.session.Session of) {
        client = of;
        request = of.begin();
        request.onCancel(this::cancel);
        return request;
    }

    /** Tells where the request comes from that runs from now on: {@code host:port}. */
    public void calledFrom(String client) {
        address = client;
    }

    /** Who acts, for the audit log. */
    public Actor actor() {
        return new Actor(user, "sql", address);
    }

    private void requireActingAs(String other) {
        boolean allowed = false;
        try {
            engine.rights().requireActingAs(user, other);
            allowed = true;
        } finally {
            boolean isDone = allowed;
            engine.rights()
                    .directory()
                    .ifPresent(users -> users.audit().record(actor(), Event.EXECUTE_AS, other, isDone, ""));
        }
    }

    /** The text of the current or last statement, as an operator may see it. Called by any thread. */
    public String activity() {
        return shown(portal.prepared());
    }

    /** Cancels the running statement. */
    public void cancel() {
        cancellation().cancel();
    }

    /** The text of the current statement. */
    public String text() {
        return portal.prepared().text();
    }

    /** What stops the current statement. */
    public Cancellation cancellation() {
        return portal.cancellation();
    }

    /** The run of the current or last statement. */
    public Portal portal() {
        return portal;
    }

    public String user() {
        return user;
    }

    public TransactionState transaction() {
        return transaction;
    }

    public boolean isInTransaction() {
        return transaction.isOpen();
    }

    /** The settings of the server. */
    Settings serverSettings() {
        return engine.settings();
    }

    public String namespace() {
        return namespace;
    }

    public void use(String name) {
        boolean known = engine.catalog().state().hasNamespace(name)
                || engine.virtualRelations().stream()
                        .anyMatch(relation -> relation.name().namespace().equals(name));
        if (!known) {
            throw new SqlError(SqlCode.UNDEFINED_NAMESPACE, "namespace \"" + name + "\" does not exist");
        }
        namespace = name;
    }

    Map<String, String> variables() {
        return variables;
    }

    private Duration timeout() {
        String set = variables.get("statement_timeout");
        return set == null ? engine.statementTimeout() : Variables.duration(set, engine.statementTimeout());
    }

    /** The state of the session's transaction between requests. */
    public TransactionState.Status status() {
        return transaction.status();
    }

    Chosen settings() {
        return new Chosen(Map.copyOf(variables), namespace);
    }

    void restore(Chosen before) {
        variables.clear();
        variables.putAll(before.variables());
        namespace = before.namespace();
    }

    /** Restores one variable. */
    void restore(String name, Chosen before) {
        if (name.equals(Variables.SEARCH_PATH)) {
            namespace = before.namespace();
        } else if (before.variables().containsKey(name)) {
            variables.put(name, before.variables().get(name));
        } else {
            variables.remove(name);
        }
    }

    public TableName resolve(Name name) {
        return new TableName(name.namespace().orElse(namespace), name.name());
    }

    /** The SQL table of that name, for statements that write or define; virtual tables and views are an error. */
    public SqlTable table(Name name) {
        TableName full = resolve(name);
        Optional<SqlTable> table = engine.catalog().state().table(full);
        if (table.isPresent()) {
            return table.get();
        }
        Optional<Relation> given = engine.virtualRelation(full);
        if (given.isPresent()) {
            throw new SqlError(SqlCode.READ_ONLY, readOnly(full, given.get()), name.position());
        }
        if (engine.catalog().state().view(full).isPresent()) {
            throw new SqlError(SqlCode.WRONG_OBJECT_TYPE, "\"" + full + "\" is a view", name.position());
        }
        throw new SqlError(SqlCode.UNDEFINED_TABLE, "relation \"" + name + "\" does not exist", name.position());
    }

    private static String readOnly(TableName name, Relation relation) {
        boolean system =
                name.namespace().equals(Catalog.SYSTEM) || name.namespace().equals("information_schema");
        return system
                ? "\"" + name + "\" is reserved and cannot be written"
                : "\"" + name + "\" shows rows of " + relation.writer() + ", and only that writes them";
    }

    public Names names() {
        return new SessionNames(this, namespace, false);
    }

    /** What names mean in this session at the moment. */
    Prepared.Meaning meaning() {
        return new Prepared.Meaning(
                engine.catalog().state(), namespace, user, engine.rights().version());
    }

    /** The SQL table of that name that this session's user may read, if it is one. */
    public Optional<SqlTable> readable(Name name) {
        Optional<SqlTable> table = engine.catalog().state().table(resolve(name));
        table.ifPresent(found -> require(found, Privilege.SELECT));
        return table.map(this::visible);
    }

    private SqlTable visible(SqlTable table) {
        return visible(table, List.of(Command.SELECT));
    }

    /** The table with the rows that a statement with these rights may find. */
    public SqlTable visible(SqlTable table, List<Command> commands) {
        return policies(table)
                .map(policies -> table.visible(policies.found(commands)))
                .orElse(table);
    }

    /** The row policies of the table, if they apply to this session's user. */
    public Optional<RowPolicies> policies(SqlTable table) {
        boolean apply = table.def().security().enabled() && !engine.rights().isAtLeast(user, Role.DBA);
        if (apply && Variables.isRowSecurityOff(this)) {
            throw new SqlError(
                    SqlCode.NOT_ALLOWED,
                    "query would be affected by row-level security policy for table \""
                            + table.name().name() + "\"");
        }
        return apply ? Optional.of(new RowPolicies(table.def(), portal.given())) : Optional.empty();
    }

    /** As {@link #table(Name)}, for a statement that needs these privileges. */
    public SqlTable table(Name name, Privilege... needed) {
        TableName full = resolve(name);
        if (engine.catalog().state().table(full).isEmpty() && !engine.rights().isAtLeast(user, Role.DBA)) {
            // What the user must not see is refused before its kind is revealed.
            names().relation(full);
            names().view(full);
        }
        SqlTable table = table(name);
        for (Privilege privilege : needed) {
            require(table, privilege);
        }
        return table;
    }

    private void require(SqlTable table, Privilege privilege) {
        if (!has(table, privilege)) {
            throw denied("table", table.name());
        }
    }

    private boolean has(SqlTable table, Privilege privilege) {
        return engine.rights().allows(user, privilege, table.name(), hasOwnRows(table));
    }

    /** A writer of the table's rows, whose errors show values only to a user who may read them. */
    public TableWriter writer(SqlTable table, Transaction writing, Environment environment) {
        TableWriter writer = new TableWriter(table, writing, user, environment.current(), engine.ids());
        return has(table, Privilege.SELECT) && policies(table).isEmpty() ? writer : writer.withoutValues();
    }

    private static boolean hasOwnRows(SqlTable table) {
        return table.def().kind() == TableKind.USER;
    }

    private static SqlError denied(String kind, TableName name) {
        return new SqlError(SqlCode.NOT_ALLOWED, "permission denied for " + kind + " " + name.name());
    }

    /** Whether this session's user may know of the table, view or virtual table. */
    public boolean sees(TableName name) {
        return engine.sees(user, name);
    }

    /**
     * Requires a role.
     *
     * @throws SqlError unless this session's user has that role or a higher one
     */
    public void require(Role role, String text) {
        engine.rights().require(user, role, text);
    }

    /**
     * Resolves names of queries, refuses those that the user may not read, and hides the rows that it may not see.
     *
     * @param ofView whether the names are those of a view's query: who may read a view reads its tables through it
     */
    private record SessionNames(Session session, String namespace, boolean ofView) implements Names {
        @Override
        public String user() {
            return session.user;
        }

        @Override
        public Optional<Relation> relation(TableName name) {
            Optional<SqlTable> table = state().table(name);
            if (table.isPresent()) {
                require("table", name, hasOwnRows(table.get()));
                return table.map(found -> ofView ? found : session.visible(found));
            }
            Optional<Relation> virtual = session.engine.virtualRelation(name);
            virtual.ifPresent(found -> require("table", name, false));
            return virtual;
        }

        @Override
        public Optional<Relation> version(TableName name, long version) {
            Optional<SqlTable> table = state().table(name);
            table.ifPresent(found -> require("table", name, hasOwnRows(found)));
            if (!ofView && table.flatMap(session::policies).isPresent()) {
                throw new SqlError(
                        SqlCode.UNSUPPORTED, "AS OF is not supported for a table whose row policies apply to the user");
            }
            return table.map(found -> session.engine.tiering().version(found, version));
        }

        @Override
        public Optional<ViewDef> view(TableName name) {
            Optional<ViewDef> view = state().view(name);
            view.ifPresent(found -> require("view", name, false));
            return view;
        }

        private void require(String kind, TableName name, boolean ownRows) {
            if (!ofView && !session.engine.rights().allows(user(), Privilege.SELECT, name, ownRows)) {
                throw denied(kind, name);
            }
        }

        private CatalogState state() {
            return session.engine.catalog().state();
        }

        @Override
        public Names in(String other) {
            return new SessionNames(session, other, true);
        }
    }

    /**
     * A session of another user with this one's namespace and variables, to run the statement inside {@code run}. It is
     * part of the open transaction, if there is one.
     */
    public Session as(String other, Portal run) {
        requireActingAs(other);
        Session session = transaction.isOpen() ? new Session(this, other) : new Session(engine, other);
        session.namespace = namespace;
        session.address = address;
        session.variables.putAll(variables);
        session.portal = run.inside(session);
        session.actedFor = true;
        return session;
    }

    /** Whether another user acts as this session's. */
    public boolean isActedFor() {
        return actedFor;
    }

    /** Stores a prepared statement and charges its size to the heap budget that all sessions share. */
    public void keep(Prepared definition) {
        Statement.Prepare statement = (Statement.Prepare) definition.statement();
        if (prepared.size() >= PREPARED_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "too many prepared statements");
        }
        if (prepared.containsKey(statement.name())) {
            throw new SqlError(
                    SqlCode.DUPLICATE_PREPARED, "prepared statement \"" + statement.name() + "\" already exists");
        }
        StatementMemory.take(engine.budget(), sizeOf(definition));
        prepared.put(statement.name(), definition);
    }

    private static long sizeOf(Prepared definition) {
        return PREPARED_BYTES + PREPARED_CHAR_BYTES * ((Statement.Prepare) definition.statement()).chars();
    }

    public void deallocate(String name) {
        engine.budget().release(sizeOf(kept(name)));
        prepared.remove(name);
    }

    public void deallocateAll() {
        List.copyOf(prepared.keySet()).forEach(this::deallocate);
    }

    /** The statement that PREPARE stored under a name. */
    public Prepared preparedStatement(String name) {
        return kept(name).inner();
    }

    private Prepared kept(String name) {
        Prepared found = prepared.get(name);
        if (found == null) {
            throw new SqlError(SqlCode.UNDEFINED_PREPARED, "prepared statement \"" + name + "\" does not exist");
        }
        return found;
    }

    @Override
    public void close() {
        if (!isGuest) {
            transaction.close();
        }
        deallocateAll();
    }
}
