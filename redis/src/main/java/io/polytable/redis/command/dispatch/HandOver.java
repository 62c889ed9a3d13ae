package io.polytable.redis.command.dispatch;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.command.blocking.Waiting;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Serves blocked calls in the unit of work that writes what they wait for, before its commit; the page of {@code blocking}
 * says why. The stripes of all keys they touch are held. The unit's changes say which keys may satisfy someone; what the
 * served calls write is among them.
 */
final class HandOver {
    private final Waiting waiting;
    private final UnitOfWork unit;
    private final BodyRunner bodies;
    private final CallTimer timer;
    private final boolean severalLogs;
    private final Call call;
    private final Deque<Served> served = new ArrayDeque<>();

    private record Place(int database, Bytes key) {}

    private record Served(Waiter waiter, Reply reply) {}

    HandOver(Waiting waiting, UnitOfWork unit, CommandTable table, BodyRunner bodies, CallTimer timer, int logs) {
        this.waiting = waiting;
        this.unit = unit;
        this.bodies = bodies;
        this.timer = timer;
        this.severalLogs = logs > 1;
        this.call = new Call(unit, table);
    }

    /** Runs the calls that what was written so far may satisfy. {@link #committed} or {@link #failed} follows. */
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

    /** As in Redis, a key must come into being: ZUNIONSTORE over a string serves nobody. Streams serve with every entry. */
    private boolean mayServe(Change.Key change) {
        return change.event().equals(KeyEvent.NEW)
                || change.holds() == Type.STREAM
                || waiting.caresWhenGone(change.database(), change.key());
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
            Reply reply = bodies.runWithin(call);
            if (!(reply instanceof Reply.Blocked)) {
                keeps = true;
                served.add(new Served(waiter, reply));
                timer.ranWithin(call, reply, System.nanoTime() - start);
            }
        } finally {
            if (!keeps) {
                waiter.release();
            }
        }
    }

    /** Runs one call that is still blocked, its stripes held, in a unit of its own. */
    void retry(Waiter waiter, long nowMillis) {
        call.at(nowMillis);
        tryToServe(waiter);
    }

    /** What the served calls were given is committed: they are answered. */
    void committed() {
        endServed(each -> {
            waiting.endClaimed(each.waiter);
            each.waiter.session().peer().answer(each.waiter, each.reply);
        });
    }

    /** Nothing was committed: who would have been served waits on, where it was. */
    void failed() {
        endServed(each -> {});
    }

    private void endServed(Consumer<Served> end) {
        while (!served.isEmpty()) {
            Served next = served.remove();
            try {
                end.accept(next);
            } finally {
                next.waiter.release();
            }
        }
    }
}
