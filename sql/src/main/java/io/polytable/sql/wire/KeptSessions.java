package io.polytable.sql.wire;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session.Activity;
import io.polytable.frontend.session.Session.Client;
import io.polytable.frontend.work.Background;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sessions that span HTTP requests. One that is idle for too long is closed. */
final class KeptSessions implements AutoCloseable {
    /** The id with which a client asks for a session. */
    static final String NEW = "new";

    static final int SESSIONS_MAX = 1000;
    static final Duration IDLE_MAX = Duration.ofSeconds(60);
    private static final Duration EXPIRE_EVERY = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(KeptSessions.class);

    private final SqlEngine engine;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Kept> kept = new LinkedHashMap<>();
    private final Background background = new Background("sql-sessions", Duration.ofSeconds(10));

    /** A session that spans requests. */
    private final class Kept implements Client {
        private final String id;
        private final Session session;
        private long usedMillis;
        private volatile boolean busy = true;
        private Optional<io.polytable.frontend.session.Session> registered = Optional.empty();

        Kept(String id, Session session) {
            this.id = id;
            this.session = session;
        }

        @Override
        public Activity activity() {
            return new Activity(session.activity(), busy);
        }

        @Override
        public void close() {
            end(this);
        }
    }

    /** A session that ends with its request. */
    private record Passing(Session session) implements Client {
        @Override
        public Activity activity() {
            return new Activity(session.activity(), true);
        }

        /** The end of the session cancels the request, which then ends. */
        @Override
        public void close() {}
    }

    /**
     * A session on loan to one request; the id is empty if the session ends with it.
     *
     * @param registered its entry in the registry of all protocols
     */
    record Borrowed(String id, Session session, io.polytable.frontend.session.Session registered) {}

    KeptSessions(SqlEngine engine, InstantSource clock) {
        this.engine = engine;
        this.clock = clock;
        // An abandoned transaction holds a snapshot, so sessions expire by a timer, not only at the next request.
        background.after(EXPIRE_EVERY, this::expire);
    }

    /**
     * Lends a session for this request only, a new lasting one, or the lasting one with that id.
     *
     * @param address where the request came from
     */
    Borrowed borrow(String id, Principal caller, String address) {
        if (id.isEmpty()) {
            Session session = engine.session(caller.name());
            return new Borrowed("", session, registered(caller, address, new Passing(session)));
        }
        synchronized (kept) {
            expire();
            if (id.equals(NEW)) {
                return create(caller, address);
            }
            Kept found = kept.get(id);
            if (found == null || !found.session.user().equals(caller.name())) {
                throw new SqlError(SqlCode.UNDEFINED_SESSION, "there is no such session; it may have timed out");
            }
            if (found.busy) {
                throw new SqlError(SqlCode.TOO_MANY, "another request of this session is in progress");
            }
            found.busy = true;
            return new Borrowed(id, found.session, found.registered.orElseThrow());
        }
    }

    private Borrowed create(Principal caller, String address) {
        if (kept.size() >= SESSIONS_MAX) {
            throw new SqlError(SqlCode.TOO_MANY, "too many sessions are open");
        }
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        String id = HexFormat.of().formatHex(bytes);
        Kept fresh = new Kept(id, engine.session(caller.name()));
        io.polytable.frontend.session.Session registered = registered(caller, address, fresh);
        fresh.registered = Optional.of(registered);
        kept.put(id, fresh);
        return new Borrowed(id, fresh.session, registered);
    }

    private io.polytable.frontend.session.Session registered(Principal caller, String address, Client client) {
        return engine.sessions()
                .open("sql", address, caller, client)
                .orElseThrow(() -> new SqlError(SqlCode.TOO_MANY, "too many sessions are open"));
    }

    /** Ends a lasting session: a request that runs in it closes it when it gives it back. */
    private void end(Kept ended) {
        boolean idle;
        synchronized (kept) {
            idle = kept.remove(ended.id, ended) && !ended.busy;
        }
        if (idle) {
            close(ended);
        }
    }

    private static void close(Kept ended) {
        ended.registered.ifPresent(io.polytable.frontend.session.Session::close);
        closeQuietly(ended.session);
    }

    private void expire() {
        synchronized (kept) {
            expireLocked();
        }
    }

    private void expireLocked() {
        long before = clock.millis() - IDLE_MAX.toMillis();
        for (Iterator<Kept> all = kept.values().iterator(); all.hasNext(); ) {
            Kept session = all.next();
            if (!session.busy && session.usedMillis < before) {
                // Removed first: a session that failed to close must not be lent again.
                all.remove();
                close(session);
            }
        }
    }

    /** A failure must neither keep others open nor reach a request that has another session. */
    private static void closeQuietly(Session session) {
        try {
            session.close();
        } catch (RuntimeException failure) {
            LOG.warn("A session that ended did not close", failure);
        }
    }

    void giveBack(Borrowed borrowed) {
        if (borrowed.id().isEmpty()) {
            borrowed.registered().close();
            borrowed.session().close();
            return;
        }
        synchronized (kept) {
            Kept session = kept.get(borrowed.id());
            if (session != null) {
                session.busy = false;
                session.usedMillis = clock.millis();
                return;
            }
        }
        // It was ended during the request.
        discard(borrowed);
    }

    /** Ends a session whose first request failed before it reached the client with its id. */
    void discard(Borrowed borrowed) {
        synchronized (kept) {
            kept.remove(borrowed.id());
        }
        borrowed.registered().close();
        closeQuietly(borrowed.session());
    }

    @Override
    public void close() {
        background.close();
        synchronized (kept) {
            kept.values().forEach(KeptSessions::close);
            kept.clear();
        }
    }
}
