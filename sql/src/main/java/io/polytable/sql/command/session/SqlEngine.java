package io.polytable.sql.command.session;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.session.Principal.Role;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Scope;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.view.View;
import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.row.GeneratedIds;
import io.polytable.sql.model.transaction.SerializableCommits;
import io.polytable.sql.model.transaction.SnapshotQuota;
import io.polytable.sql.query.run.DuckEngine;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.tier.Tiering;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The state that all sessions share: the store, the catalog, DuckDB, caches, budgets and statistics. */
public final class SqlEngine {
    /** The superuser, and the user of clients without a user name. */
    public static final String ROOT = View.ROOT;

    public static final int USER_CHARS_MAX = 256;

    private static final long ROOM_SECONDS_MAX = 30;

    private final TableStore store;
    private final AnswerGate answers;
    private final SnapshotQuota snapshots;
    private final Catalog catalog;
    private final DuckEngine duck;
    private final Tiering tiering;
    private final GeneratedIds ids;
    private final Budget budget;
    private final Sessions sessions;
    private final Rights rights;
    private final Settings settings;
    private final SerializableCommits serializable = new SerializableCommits();
    private final InstantSource clock;
    private final Duration statementTimeout;
    private final PreparedCache prepared = new PreparedCache();
    private final StatementLog log;
    private final RunningQueries queries;
    private final Jobs jobs;
    private final SystemTables system;
    private final StatementRunner statements;
    private final Supplier<List<Relation>> faces;

    /**
     * Creates the engine.
     *
     * @param faces the tables that other frontends expose at the moment
     * @param budget the heap that statements and transactions share
     * @param sessions the registry of the sessions of all protocols
     * @param users the users of all protocols, if the caller is a server
     * @param statements creates the runner of statements; passed in because the packages that run statements depend on
     *     this one
     */
    public SqlEngine(
            TableStore store,
            Catalog catalog,
            DuckEngine duck,
            Tiering tiering,
            Supplier<List<Relation>> faces,
            InstantSource clock,
            Duration statementTimeout,
            Budget budget,
            Sessions sessions,
            Optional<Users> users,
            Settings settings,
            Function<SqlEngine, StatementRunner> statements,
            Function<SqlEngine, SystemTables> system) {
        this.store = store;
        answers = new AnswerGate(store);
        snapshots = new SnapshotQuota(store);
        this.catalog = catalog;
        this.duck = duck;
        this.tiering = tiering;
        this.faces = faces;
        this.clock = clock;
        this.statementTimeout = statementTimeout;
        this.budget = budget;
        this.sessions = sessions;
        rights = new Rights(users);
        this.settings = settings;
        ids = new GeneratedIds(clock);
        log = new StatementLog(clock);
        queries = new RunningQueries(clock);
        jobs = new Jobs(clock);
        this.statements = statements.apply(this);
        this.system = system.apply(this);
    }

    public Session session(String user) {
        return new Session(this, user);
    }

    StatementRunner statements() {
        return statements;
    }

    /** The statements of a text, which may be kept from an earlier use. */
    List<Prepared> prepare(String text, Prepared.Meaning meaning) {
        return prepared.of(text, meaning);
    }

    /** What a statement does as long as its names mean the same. */
    Prepared.Planned planned(Prepared statement, Prepared.Meaning meaning) {
        return prepared.planned(statement, meaning);
    }

    /** Back-pressure: a writer waits before it begins while the store is behind. */
    void awaitRoom() {
        if (store.hasRoom()) {
            return;
        }
        CountDownLatch room = new CountDownLatch(1);
        store.whenRoom(room::countDown);
        try {
            if (!room.await(ROOM_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new SqlError(SqlCode.TOO_MANY, "write stall; try again");
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
        }
    }

    public TableStore store() {
        return store;
    }

    /** Releases answers once what they saw is durable and the log's owner is current. */
    public AnswerGate answers() {
        return answers;
    }

    /** The settings of the server. */
    public Settings settings() {
        return settings;
    }

    public Catalog catalog() {
        return catalog;
    }

    public DuckEngine duck() {
        return duck;
    }

    public Tiering tiering() {
        return tiering;
    }

    /** The heap budget that statements and transactions share. */
    public Budget budget() {
        return budget;
    }

    /** The sessions of all protocols. */
    public Sessions sessions() {
        return sessions;
    }

    /** What users may do. */
    public Rights rights() {
        return rights;
    }

    /** The snapshots that statements and transactions may hold. */
    SnapshotQuota snapshots() {
        return snapshots;
    }

    public GeneratedIds ids() {
        return ids;
    }

    public StatementLog log() {
        return log;
    }

    public RunningQueries queries() {
        return queries;
    }

    public Jobs jobs() {
        return jobs;
    }

    Duration statementTimeout() {
        return statementTimeout;
    }

    Instant now() {
        return clock.instant();
    }

    /** The serial order of serializable transactions. */
    SerializableCommits serializable() {
        return serializable;
    }

    /** Tables that exist without having been created: those of other frontends and the system tables. */
    public Collection<Relation> virtualRelations() {
        Map<String, Relation> virtual = new TreeMap<>();
        faces.get().forEach(relation -> virtual.put(relation.name().toString(), relation));
        system.all().forEach(relation -> virtual.put(relation.name().toString(), relation));
        return virtual.values();
    }

    /** After a definition: what was granted on tables that it dropped or renamed is forgotten. */
    public void forgetDroppedGrants(Statement definition) {
        boolean drops = definition instanceof Statement.DropTable
                || definition instanceof Statement.DropView
                || definition instanceof Statement.DropNamespace
                || definition instanceof Statement.AlterTable;
        if (drops) {
            CatalogState state = catalog.state();
            rights.forget(scope -> (scope instanceof Scope.OfTable one
                            && state.table(one.table()).isEmpty()
                            && state.view(one.table()).isEmpty()
                            && virtualRelation(one.table()).isEmpty())
                    || (scope instanceof Scope.OfNamespace all
                            && !state.hasNamespace(all.namespace())
                            && virtualRelations().stream()
                                    .noneMatch(relation ->
                                            relation.name().namespace().equals(all.namespace()))));
        }
    }

    /** Whether the user may know of the table, view or virtual table. */
    public boolean sees(String user, TableName name) {
        boolean ownRows = catalog.state()
                .table(name)
                .filter(table -> table.def().kind() == TableKind.USER)
                .isPresent();
        return rights.sees(user, name, ownRows);
    }

    /** Whether the user may know of anything in the namespace. */
    public boolean seesNamespace(String user, String namespace) {
        return rights.isAtLeast(user, Role.DBA)
                || catalog.state().tables().stream().anyMatch(table -> isSeen(user, namespace, table.name()))
                || catalog.state().views().stream().anyMatch(view -> isSeen(user, namespace, view.name()))
                || virtualRelations().stream().anyMatch(relation -> isSeen(user, namespace, relation.name()));
    }

    private boolean isSeen(String user, String namespace, TableName name) {
        return name.namespace().equals(namespace) && sees(user, name);
    }

    public List<Relation> faceRelations() {
        return faces.get();
    }

    public Optional<Relation> virtualRelation(TableName name) {
        Optional<Relation> own = system.find(name);
        if (own.isPresent()) {
            return own;
        }
        return faces.get().stream()
                .filter(relation -> relation.name().equals(name))
                .findFirst();
    }
}
