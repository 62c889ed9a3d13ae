package io.polytable.redis.command.blocking;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.table.Bytes;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues of blocked calls, one a key: BZPOPMIN and its like. A call that found nothing enters the queues of its keys
 * while it holds their stripes, so no write can fall between its read and its entry; then it releases them, and its
 * connection runs nothing else. After a commit that leaves a collection at a key, the first call in the key's queue is
 * run again, as an ordinary call on its own connection's loop.
 *
 * <p>Who came first is served first. Only the first of a queue is woken; a later call, also one that has just arrived,
 * leaves a key alone that others wait for ({@link #isAwaitedByOthers}). A woken one that leaves, served or not, wakes
 * the next, which may find something left; one that found nothing keeps its place and wakes nobody, since then there is
 * nothing.
 *
 * <p>There are at most as many waiters as clients, each with the keys of one request.
 */
public final class Waiting implements ChangeListener {
    private final Map<Place, Set<Waiter>> queues = new ConcurrentHashMap<>();
    private volatile int keyCount;
    private KeyChanges.@Nullable Subscription subscription;

    private record Place(int database, Bytes key) {}

    /** Enters, or keeps its place after another try found nothing. The stripes of its keys are held. */
    public synchronized void enter(Waiter waiter) {
        Session session = waiter.session();
        Waiter before = session.waiter();
        if (before != null) {
            before.woken(false);
            return;
        }
        session.waiter(waiter);
        for (Bytes key : waiter.keys()) {
            queues.computeIfAbsent(new Place(waiter.database(), key), place -> new LinkedHashSet<>())
                    .add(waiter);
        }
        count();
    }

    /** Its call is over, whatever came of it. */
    public synchronized void leave(Session session) {
        Waiter waiter = session.waiter();
        if (waiter == null) {
            return;
        }
        session.waiter(null);
        for (Bytes key : waiter.keys()) {
            leave(new Place(waiter.database(), key), waiter);
        }
        count();
    }

    /** Wakes clients when keys of the key space change. */
    public synchronized void listenTo(KeyChanges changes) {
        subscription = changes.subscribe(this);
    }

    private void count() {
        keyCount = queues.size();
        if (subscription != null) {
            subscription.wantChanges(keyCount != 0);
        }
    }

    private void leave(Place place, Waiter waiter) {
        Set<Waiter> queue = queues.get(place);
        if (queue == null) {
            return;
        }
        queue.remove(waiter);
        if (queue.isEmpty()) {
            queues.remove(place);
        } else if (waiter.woken()) {
            wakeFirst(queue, waiter.type());
        }
    }

    /** Whether someone came earlier than this call and is to have what the key holds. */
    public boolean isAwaitedByOthers(Call call, Bytes key, Type type) {
        return keyCount != 0 && isBehindOthers(call, key, type);
    }

    private synchronized boolean isBehindOthers(Call call, Bytes key, Type type) {
        Session session = call.session();
        Set<Waiter> queue = queues.get(new Place(session.database(), key));
        Waiter first = queue == null ? null : first(queue, type);
        return first != null && first.session() != session;
    }

    /** Ends the session's wait with this answer; with none, as if its time were over. False when it does not wait. */
    public synchronized boolean interrupt(Session session, @Nullable Reply answer) {
        Waiter waiter = session.waiter();
        if (waiter == null || waiter.verdict() != null) {
            return false;
        }
        waiter.verdict(answer == null ? waiter.otherwise() : answer);
        session.peer().tryAgain();
        return true;
    }

    /** What was decided about the session's call instead of another try. */
    public synchronized @Nullable Reply verdict(Session session) {
        Waiter waiter = session.waiter();
        return waiter == null ? null : waiter.verdict();
    }

    /** For how many keys someone waits. */
    public int keyCount() {
        return keyCount;
    }

    @Override
    public synchronized void committed(Unit unit) {
        List<Change> changes = unit.changes();
        Set<Place> seen = new HashSet<>();
        // From the end: what a key holds after the last change is what it holds.
        for (int i = changes.size() - 1; i >= 0; i--) {
            if (changes.get(i) instanceof Change.Key change) {
                Place place = new Place(change.database(), change.key());
                Type holds = change.holds();
                if (seen.add(place) && holds != null) {
                    arrived(place, holds);
                }
            } else if (changes.get(i) instanceof Change.Swapped) {
                wakeAll();
            }
        }
    }

    private void arrived(Place place, Type type) {
        Set<Waiter> queue = queues.get(place);
        if (queue != null) {
            wakeFirst(queue, type);
        }
    }

    /** Any key may have come. */
    private void wakeAll() {
        for (Set<Waiter> queue : queues.values()) {
            Set<Type> types = EnumSet.noneOf(Type.class);
            queue.forEach(waiter -> types.add(waiter.type()));
            types.forEach(type -> wakeFirst(queue, type));
        }
    }

    private static void wakeFirst(Set<Waiter> queue, Type type) {
        Waiter first = first(queue, type);
        if (first != null && !first.woken()) {
            first.woken(true);
            first.session().peer().tryAgain();
        }
    }

    private static @Nullable Waiter first(Set<Waiter> queue, Type type) {
        for (Waiter waiter : queue) {
            if (waiter.type() == type) {
                return waiter;
            }
        }
        return null;
    }
}
