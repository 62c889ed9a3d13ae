package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.blocking.Waiting;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.stream.Groups;
import io.polytable.redis.model.stream.Streams;
import io.polytable.table.Bytes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves blocked calls in the unit of work that writes their keys, before its commit; the page of {@code blocking}
 * explains why. The caller holds the stripes of all keys they touch. The unit's changes show which keys may satisfy a
 * call; changes by served calls are among them.
 */
final class Unblocker {
    private static final Logger LOG = LoggerFactory.getLogger(Unblocker.class);

    private final Waiting waiting;
    private final UnitOfWork unit;
    private final BodyRunner bodies;
    private final CallTimer timer;
    private final Listeners listeners;
    private final AccessGuard guard;
    private final boolean severalLogs;
    private final Call call;
    private final Deque<Served> served = new ArrayDeque<>();

    private record Place(int database, Bytes key) {}

    private record Served(Waiter waiter, Reply reply) {}

    Unblocker(
            Waiting waiting,
            UnitOfWork unit,
            CommandTable table,
            BodyRunner bodies,
            CallTimer timer,
            Listeners listeners,
            AccessGuard guard,
            int logs) {
        this.waiting = waiting;
        this.unit = unit;
        this.bodies = bodies;
        this.timer = timer;
        this.listeners = listeners;
        this.guard = guard;
        this.severalLogs = logs > 1;
        this.call = new Call(unit, table);
    }

    /** Runs the blocked calls that the writes so far may satisfy. {@link #committed} or {@link #failed} must follow. */
    void serve(long nowMillis) {
        if (waiting.keyCount() == 0) {
            return;
        }
        call.at(nowMillis);
        List<Change> changes = unit.changes().soFar();
        int seen = 0;
        while (seen < changes.size()) {
            Set<Place> ready = new LinkedHashSet<>();
            for (; seen < changes.size(); seen++) {
                addReady(changes.get(seen), ready);
            }
            ready.forEach(this::serveAt);
        }
    }

    private void addReady(Change change, Set<Place> ready) {
        if (change instanceof Change.Key key) {
            if (mayServe(key)) {
                ready.add(new Place(key.database(), key.key()));
            }
        } else if (change instanceof Change.Swapped swapped && !severalLogs) {
            addAll(swapped.one(), ready);
            addAll(swapped.other(), ready);
        } else if (change instanceof Change.Flushed flushed) {
            addAll(flushed.database(), ready);
        }
    }

    /**
     * As in Redis, only the creation of a key serves calls, and only with a type that some call waits for, on any key:
     * ZUNIONSTORE over a string serves nobody, even if the string is new in the same unit. Streams serve with every
     * entry. Other changes of a stream serve nobody: XGROUP SETID leaves its blocked readers to the next entry.
     */
    private boolean mayServe(Change.Key change) {
        Type holds = change.holds();
        boolean comes = change.event().equals(KeyEvent.NEW) || change.event().equals(Streams.XADD);
        boolean goes = holds != Type.STREAM || change.event().equals(Groups.DESTROY);
        return (comes && holds != null && waiting.awaits(holds))
                || (goes && waiting.caresWhenGone(change.database(), change.key()));
    }

    private void addAll(int database, Set<Place> ready) {
        waiting.keysOf(database).forEach(key -> ready.add(new Place(database, key)));
    }

    private void serveAt(Place place) {
        Waiter waiter = waiting.next(place.database, place.key, 0);
        while (waiter != null) {
            unit.continueAs(true);
            Type holds = unit.space(place.database)
                    .header(place.key)
                    .map(Header::type)
                    .orElse(null);
            if (holds == null && !waiting.caresWhenGone(place.database, place.key)) {
                return;
            }
            if (waiter.type() == holds || waiter.runsWhenGone()) {
                tryToServe(waiter);
            }
            waiter = waiting.next(place.database, place.key, waiter.arrival());
        }
    }

    private void tryToServe(Waiter waiter) {
        if (waiter.isClaimed() || !waiter.claim()) {
            return;
        }
        boolean keeps = false;
        try {
            long start = System.nanoTime();
            call.begin(waiter.session(), waiter.words(), waiter.words().length);
            call.command(waiter.command());
            unit.changes().actAs(waiter.session());
            // The user's permissions may have changed while the call was blocked.
            RedisError denied = guard.refusal(call);
            Reply reply = denied == null ? bodies.runWithin(call) : Reply.error(denied);
            if (!(reply instanceof Reply.Blocked)) {
                keeps = true;
                served.add(new Served(waiter, reply));
                timer.ranWithin(call, reply, System.nanoTime() - start);
                listeners.remember(call, unit.changes());
            }
            unit.changes().actAs(unit.changes().origin());
        } finally {
            if (!keeps) {
                waiter.release();
            }
        }
    }

    /** Runs one blocked call in a unit of its own; its stripes are held. */
    void retry(Waiter waiter, long nowMillis) {
        call.at(nowMillis);
        tryToServe(waiter);
    }

    /** Answers the served calls: their unit is committed. */
    void committed() {
        while (!served.isEmpty()) {
            Served next = served.remove();
            try {
                waiting.endClaimed(next.waiter);
                Session session = next.waiter.session();
                session.peer().answer(next.waiter, listeners.served(session, next.reply));
            } catch (RuntimeException | Error failure) {
                // The commit stands, so neither the writer nor the other served calls fail.
                LOG.error("{} was served, but its client could not be notified", next.waiter, failure);
                hangUp(next.waiter);
            } finally {
                next.waiter.release();
            }
        }
    }

    /** Closes the connection of a client that would otherwise wait for its reply forever. */
    private static void hangUp(Waiter waiter) {
        try {
            waiter.session().peer().close();
        } catch (RuntimeException | Error failure) {
            LOG.error("The connection of {} cannot be closed", waiter, failure);
        }
    }

    /** Leaves the calls blocked, at their places: nothing was committed. */
    void failed() {
        while (!served.isEmpty()) {
            served.remove().waiter.release();
        }
    }
}
