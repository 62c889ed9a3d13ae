package io.polytable.frontend.session;

import io.polytable.frontend.session.Session.Client;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The registry of the open sessions of all protocols. Thread safe. */
public final class Sessions {
    /** More than a process can have sockets: each protocol refuses clients earlier, by a limit of its own. */
    public static final int SESSIONS_MAX = 1 << 20;

    private final InstantSource clock;
    private final int max;
    private final SlowRequests slow;
    private final ConcurrentSkipListMap<Long, Session> open = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong lastId = new AtomicLong();

    public Sessions(InstantSource clock) {
        this(clock, SESSIONS_MAX);
    }

    public Sessions(InstantSource clock, int max) {
        this.clock = clock;
        this.max = max;
        this.slow = new SlowRequests(clock);
    }

    /** A registry of its own, for a protocol that runs without a server. */
    public Sessions() {
        this(InstantSource.system());
    }

    /**
     * Opens a session, or returns empty if too many are open; the protocol then refuses the client as it refuses one beyond
     * its own limit.
     *
     * @param address {@code host:port} of the client
     */
    public Optional<Session> open(String protocol, String address, Principal principal, Client client) {
        if (count.incrementAndGet() > max) {
            count.decrementAndGet();
            return Optional.empty();
        }
        Session session =
                new Session(this, lastId.incrementAndGet(), protocol, address, clock.instant(), principal, client);
        open.put(session.id(), session);
        return Optional.of(session);
    }

    /** A session that no registry lists: of tests, and of the server's own commands. */
    public static Session detached(Principal principal) {
        Sessions none = new Sessions(InstantSource.system());
        return new Session(none, 0, "none", "", none.clock.instant(), principal, Client.NONE);
    }

    void closed(Session session) {
        if (open.remove(session.id(), session)) {
            count.decrementAndGet();
        }
    }

    /** By id, oldest first. */
    public List<Session> all() {
        return List.copyOf(open.values());
    }

    public Optional<Session> find(long id) {
        return Optional.ofNullable(open.get(id));
    }

    /** The slow requests of all sessions. */
    public SlowRequests slow() {
        return slow;
    }

    public int count() {
        return count.get();
    }

    /** Ends all sessions of the principal with this name; returns how many. */
    public int end(String principal) {
        List<Session> ended = open.values().stream()
                .filter(session -> session.principal().name().equals(principal))
                .toList();
        ended.forEach(Session::end);
        return ended.size();
    }
}
