package io.polytable.sql.command.session;

import io.polytable.sql.command.plan.Plan;
import io.polytable.sql.expr.Environment;
import io.polytable.sql.query.Cancellation;
import io.polytable.sql.query.QueryTimes;
import io.polytable.sql.query.run.PreparedQuery;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.syntax.StatementParser.Parsed;
import io.polytable.sql.tree.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a prepared statement in a session: its parameters, the time at which it began, and what stops it. Its result,
 * an {@link Outcome}, is fetched row by row. What clients of all protocols do ends here.
 */
public final class Portal {
    private final SqlEngine engine;
    private final Session session;
    private final Prepared prepared;
    private final @Nullable Object[] parameters;
    private final Instant began;
    private final Cancellation cancellation;

    /** How many statements execute this one. */
    private final int depth;

    private Portal(
            SqlEngine engine,
            Session session,
            Prepared prepared,
            @Nullable Object[] parameters,
            Instant began,
            Cancellation cancellation,
            int depth) {
        this.engine = engine;
        this.session = session;
        this.prepared = prepared;
        this.parameters = parameters;
        this.began = began;
        this.cancellation = cancellation;
        this.depth = depth;
    }

    static Portal of(
            SqlEngine engine, Session session, Prepared prepared, @Nullable Object[] parameters, Duration most) {
        return new Portal(engine, session, prepared, parameters, engine.now(), new Cancellation(most), 0);
    }

    /** A session's portal before its first statement. */
    static Portal idle(SqlEngine engine, Session session, Duration most) {
        Prepared nothing = new Prepared(new Parsed(new Statement.Rollback(Optional.empty()), "", 0, 0));
        return of(engine, session, nothing, new Object[0], most);
    }

    /** A run of another statement as part of this one. */
    public Portal of(Prepared other, @Nullable Object[] given) {
        return new Portal(engine, session, other, given, began, cancellation, depth + 1);
    }

    /** A run of another statement with the same parameters, of which no plan is kept, as part of this one. */
    public Portal of(Statement other) {
        return of(new Prepared(new Parsed(other, "", 0, 0)), parameters);
    }

    /** A run of the statement inside this one, in the session of another user. */
    Portal inside(Session other) {
        return new Portal(engine, other, prepared.inner(), parameters, began, cancellation, depth + 1);
    }

    public SqlEngine engine() {
        return engine;
    }

    public Session session() {
        return session;
    }

    public Prepared prepared() {
        return prepared;
    }

    public @Nullable Object[] parameters() {
        return parameters;
    }

    public int depth() {
        return depth;
    }

    public Cancellation cancellation() {
        return cancellation;
    }

    Instant began() {
        return began;
    }

    /** What the statement was given; the version of the rows that it writes is that of the call. */
    public Environment given() {
        Instant transaction = session.transaction().began().orElse(began);
        return new Environment(session.user(), transaction, began, engine.now(), engine.ids(), parameters);
    }

    public QueryTimes times() {
        return new QueryTimes(session.transaction().began().orElse(began), began);
    }

    /** The statement's plan, which is made unless it was kept. */
    public Plan plan(Supplier<Plan> planner) {
        return engine.planned(prepared, session.meaning()).plan(planner);
    }

    /** The plan of a query that is made of a part of the statement. */
    public PreparedQuery query(Object part, Supplier<Query> query) {
        return engine.planned(prepared, session.meaning()).query(part, () -> bound(query.get()));
    }

    /** Binds a query, which the caller may keep. */
    public PreparedQuery bound(Query query) {
        return engine.duck().prepare(query, session.names());
    }
}
