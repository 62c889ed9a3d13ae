package io.polytable.redis.command.tracking;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.KeyPositions;
import io.polytable.redis.command.PushQueue.PushMessage;
import io.polytable.redis.command.PushState;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.config.Settings;
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
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The clients that track keys, and what they are told. A read is remembered while the stripes of its keys are held, so no
 * write can fall between the read and the entry. While nobody tracks, nothing is listened to.
 */
public final class Tracking implements ChangeListener {
    /** Of the heap: what the table of readers may take, whatever the number of keys allows. */
    private static final int HEAP_SHARE = 8;

    private final Settings settings;
    private final Invalidations invalidations;
    private final Broadcasts broadcasts;
    private final ReaderTable readers = new ReaderTable(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    private final Map<Long, Session> clients = new ConcurrentSkipListMap<>();
    private final KeyChanges.Subscription subscription;

    public Tracking(
            KeyChanges changes, Settings settings, PushDispatcher post, LongFunction<@Nullable Session> clientsById) {
        this.settings = settings;
        this.invalidations = new Invalidations(post, clientsById);
        this.broadcasts = new Broadcasts(invalidations);
        this.subscription = changes.subscribe(this);
    }

    /** On the session's own loop. */
    public synchronized void enable(Session session, PushState.Tracking mode) {
        PushState.Tracking before = session.pushState().tracking();
        session.pushState().tracking(mode);
        clients.put(session.id(), session);
        mode.prefixes().forEach(prefix -> broadcasts.add(prefix, session));
        if (before == null) {
            subscription.wantChanges(true);
        }
    }

    /** CLIENT TRACKING OFF, RESET, or the connection is gone. On the session's own loop. */
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

    /** The keys of a reading call that has just run, as far as its client wants to hear of their changes. */
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

    /** Remembers what a client has read; the stripes of the keys are held. */
    public void remember(Session session, List<Bytes> keys) {
        keys.forEach(key -> readers.add(key, session.id()));
        while (readers.exceeds(settings.trackedKeysMax()) && !readers.isEmpty()) {
            // Who cached it must not rely on hearing of its next change.
            invalidate(readers.any(), Origin.BACKGROUND, new ArrayList<>());
        }
    }

    /** In Redis that a key came into being invalidates nothing; what is done to it then does. So RENAME tells the old name first. */
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
                // Redis names nobody as the one who made a key expire.
                (key.event().equals(KeyEvent.EXPIRED) ? ownerless : broadcast).add(key.key());
            } else if (change instanceof Change.Flushed) {
                flushed = true;
            }
        }
        if (flushed) {
            flush(unit.origin());
        }
        if (unit.origin() instanceof Session session) {
            own.forEach(key -> invalidations.send(session, key));
        }
        if (!broadcasts.isEmpty()) {
            broadcasts.changed(ownerless, Origin.BACKGROUND);
            broadcasts.changed(broadcast, unit.origin());
            tellSoon(unit.origin());
        }
    }

    /** At the end of the turn of the client's loop; for the background, of any loop that has somebody to tell. */
    private void tellSoon(Origin origin) {
        if (broadcasts.isPending()) {
            List<Session> loops = origin instanceof Session session ? List.of(session) : broadcasts.someClient();
            loops.forEach(session -> session.peer().queue().post(PushMessage.NONE));
        }
    }

    /** Everybody's caches are void; who did it is told last. */
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

    /** Tells the readers of the key, except the one that changed it: for that one the key is put aside. */
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

    /** Tells of the keys that changed below tracked prefixes; called when a loop's turn ends. */
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
