package io.polytable.redis.command.node;

import io.polytable.redis.command.Session;
import java.util.Collection;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The sessions of all connected clients. */
public final class Clients {
    private final ConcurrentSkipListMap<Long, Session> sessions = new ConcurrentSkipListMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private volatile long acceptedAtReset;
    private volatile long rejectedAtReset;

    public long nextId() {
        return lastId.incrementAndGet();
    }

    /** Admits a client up to the maximum; {@link #leave} releases its place. */
    public boolean enter(long max) {
        accepted.increment();
        if (count.incrementAndGet() <= max) {
            return true;
        }
        count.decrementAndGet();
        rejected.increment();
        return false;
    }

    public void add(Session session) {
        sessions.put(session.id(), session);
    }

    public void leave(Session session) {
        if (sessions.remove(session.id()) != null) {
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
