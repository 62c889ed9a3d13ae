package io.polytable.redis.command.tracking;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.PushQueue.PushMessage;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.push.PushDispatcher;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.change.Origin;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * CLIENT TRACKING: the tracking clients, the keys they read, and their invalidations. A read is remembered while the
 * stripes of its keys are held, so no write can fall between the read and the entry. While no client tracks, it does
 * not listen to changes.
 */
public final class Tracking implements ChangeListener {
    private final RedisConfig settings;
    private final Invalidations invalidations;
    private final Broadcasts broadcasts;
    private final ReaderTable readers;
    private final Map<Long, Session> clients = new ConcurrentSkipListMap<>();
    private final KeyChanges.Subscription subscription;

    /** What blocked calls have changed for clients that track it, until their replies are sent. */
    private final Map<Session, List<Bytes>> served = new ConcurrentHashMap<>();

    /** @param memory for the table of readers, whatever the limit on keys */
    public Tracking(
            KeyChanges changes,
            RedisConfig settings,
            PushDispatcher post,
            LongFunction<@Nullable Session> clientsById,
            Budget memory) {
        this.readers = new ReaderTable(memory);
        this.settings = settings;
        this.invalidations = new Invalidations(post, clientsById);
        this.broadcasts = new Broadcasts(invalidations);
        this.subscription = changes.subscribe(this);
    }

    /** Called on the session's own loop. */
    public synchronized void enable(Session session, PushState.Tracking mode) {
        PushState.Tracking before = session.pushState().tracking();
        session.pushState().tracking(mode);
        clients.put(session.id(), session);
        mode.prefixes().forEach(prefix -> broadcasts.add(prefix, session));
        if (before == null) {
            subscription.wantChanges(true);
        }
    }

    /** For CLIENT TRACKING OFF, RESET and a disconnect. Called on the session's own loop. */
    public synchronized void disable(Session session) {
        PushState.Tracking mode = session.pushState().tracking();
        if (mode == null) {
            return;
        }
        session.pushState().tracking(null);
        clients.remove(session.id());
        mode.prefixes().forEach(prefix -> broadcasts.remove(prefix, session));
        if (clients.isEmpty()) {
            subscription.wantChanges(false);
            readers.clear();
        }
    }

    /** The keys of a read that has just run, if the client's mode tracks them. */
    public List<Bytes> readKeys(Call call, PushState.Tracking mode) {
        boolean caching = call.session().pushState().caching();
        boolean leavesOut = mode.broadcast() || (mode.optIn() && !caching) || (mode.optOut() && caching);
        if (leavesOut || !call.command().has(Flag.READONLY)) {
            return List.of();
        }
        KeyPositions positions = call.keyPositions();
        List<Bytes> keys = new ArrayList<>();
        for (int i = 0; i < positions.size(); i++) {
            keys.add(call.word(positions.at(i)));
        }
        return keys;
    }

    /** Remembers the keys that a client has read; their stripes are held. */
    public void remember(Session session, List<Bytes> keys) {
        keys.forEach(key -> readers.add(key, session.id()));
        while (readers.exceeds(settings.trackedKeysMax()) && !readers.isEmpty()) {
            // Evicted keys are invalidated: the client would not learn of their next change.
            invalidate(readers.any(), Origin.BACKGROUND, new ArrayList<>());
        }
    }

    /**
     * Moves creations of keys behind the other changes. In Redis the creation itself invalidates nothing, but the later
     * write does: so RENAME reports the old name first.
     */
    private static List<Change> inOrder(List<Change> changes) {
        List<Change> created = new ArrayList<>();
        List<Change> others = new ArrayList<>();
        for (Change change : changes) {
            boolean creates = change instanceof Change.Key key && key.event().equals(KeyEvent.NEW);
            (creates ? created : others).add(change);
        }
        others.addAll(created);
        return others;
    }

    @Override
    public void committed(Unit unit) {
        List<Bytes> broadcast = new ArrayList<>();
        List<Bytes> ownerless = new ArrayList<>();
        List<Bytes> own = new ArrayList<>();
        boolean flushed = false;
        for (Change change : inOrder(unit.changes())) {
            if (change instanceof Change.Key key && key.event().alters()) {
                invalidate(key.key(), unit.origin(), own);
                // Redis attributes an expiry to no client.
                (key.event().equals(KeyEvent.EXPIRED) ? ownerless : broadcast).add(key.key());
            } else if (change instanceof Change.Flushed) {
                flushed = true;
            }
        }
        if (flushed) {
            flush(unit.origin());
        }
        if (unit.origin() instanceof Session session) {
            if (session.waiter() == null) {
                own.forEach(key -> invalidations.send(session, key));
            } else if (!own.isEmpty()) {
                served.merge(session, own, Tracking::both);
            }
        }
        if (!broadcasts.isEmpty()) {
            broadcasts.changed(ownerless, Origin.BACKGROUND);
            broadcasts.changed(broadcast, unit.origin());
            tellSoon(unit.origin());
        }
    }

    private static List<Bytes> both(List<Bytes> some, List<Bytes> others) {
        List<Bytes> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    /**
     * The reply of a blocked call that a commit has served, and behind it the invalidations of what the call itself
     * changed: a client hears of its own changes after its reply.
     */
    public Reply withOwnInvalidations(Session session, Reply reply) {
        List<Bytes> own = served.remove(session);
        return own == null
                ? reply
                : new Reply.Counted(reply, () -> own.forEach(key -> invalidations.send(session, key)));
    }

    /**
     * Schedules the messages for the end of the turn of the client's loop; for background changes, of any tracking
     * client's loop.
     */
    private void tellSoon(Origin origin) {
        if (broadcasts.isPending()) {
            List<Session> loops = origin instanceof Session session ? List.of(session) : broadcasts.someClient();
            loops.forEach(session -> session.peer().queue().post(PushMessage.NONE));
        }
    }

    /** Invalidates all keys of all clients; the client that flushed is notified last. */
    private void flush(Origin origin) {
        readers.clear();
        for (Session client : clients.values()) {
            if (client != origin) {
                invalidations.sendFlush(client);
            }
        }
        if (origin instanceof Session session) {
            invalidations.sendFlush(session);
        }
    }

    /** Invalidates the key for its readers. The one that changed it is notified later: its keys are collected. */
    private void invalidate(Bytes key, Origin origin, List<Bytes> own) {
        for (long id : readers.remove(key)) {
            Session target = invalidations.client(id);
            PushState.Tracking mode = target == null ? null : target.pushState().tracking();
            boolean told = mode != null && !mode.broadcast() && !(mode.noLoop() && target == origin);
            if (told && target == origin) {
                own.add(key);
            } else if (told && target != null) {
                invalidations.send(target, key);
            }
        }
    }

    /** Sends the changed keys of tracked prefixes; called at the end of a loop's turn. */
    public void broadcast() {
        if (broadcasts.isPending()) {
            broadcasts.tell();
        }
    }

    public int clients() {
        return clients.size();
    }

    public long keys() {
        return readers.keys();
    }

    public long items() {
        return readers.items();
    }

    public int prefixes() {
        return broadcasts.count();
    }
}
