package io.polytable.redis.command.node;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session.Client;
import io.polytable.frontend.session.Sessions;
import io.polytable.redis.command.Session;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The sessions of all connected clients of this endpoint, which are listed among those of all protocols. */
public final class Clients {
    private static final String PROTOCOL = "redis";

    private final Sessions registry;
    private final ConcurrentSkipListMap<Long, Session> sessions = new ConcurrentSkipListMap<>();
    private final AtomicLong count = new AtomicLong();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private volatile long acceptedAtReset;
    private volatile long rejectedAtReset;

    Clients(Sessions registry) {
        this.registry = registry;
    }

    /** Opens the session of a client, unless too many are open in all protocols. */
    public Optional<io.polytable.frontend.session.Session> enter(String address, Principal principal, Client client) {
        return registry.open(PROTOCOL, address, principal, client);
    }

    /** Counts a client that was refused. */
    public void reject() {
        accepted.increment();
        rejected.increment();
    }

    public void add(Session session) {
        accepted.increment();
        count.incrementAndGet();
        sessions.put(session.id(), session);
    }

    public void leave(Session session) {
        if (sessions.remove(session.id()) != null) {
            session.registered().close();
            count.decrementAndGet();
        }
    }

    public @Nullable Session find(long id) {
        return sessions.get(id);
    }

    /** By id, oldest first. */
    public Collection<Session> all() {
        return sessions.values();
    }

    public long count() {
        return count.get();
    }

    /** Unparsed requests and unread replies of the replicas, or of all others. */
    public long bytes(boolean replicas) {
        return sessions.values().stream()
                .filter(each -> each.isReplica() == replicas)
                .mapToLong(each -> each.peer().queryBytes() + each.peer().outputBytes())
                .sum();
    }

    public long waiting() {
        return sessions.values().stream().filter(Session::waiting).count();
    }

    public long accepted() {
        return accepted.sum() - acceptedAtReset;
    }

    public long rejected() {
        return rejected.sum() - rejectedAtReset;
    }

    void resetCounters() {
        acceptedAtReset = accepted.sum();
        rejectedAtReset = rejected.sum();
    }
}
