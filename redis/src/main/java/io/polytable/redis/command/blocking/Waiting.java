package io.polytable.redis.command.blocking;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Waiter;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.change.Origin;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All blocked calls, in queues by key and database. The package page explains how they are served.
 *
 * <p>Each client has at most one waiter, with the keys of one request.
 */
public final class Waiting implements ChangeListener {
    private final Map<Bytes, AwaitedKey> keys = new ConcurrentHashMap<>();
    private final Map<List<Bytes>, KeyList> keyLists = new HashMap<>();
    private final Budget budget;

    /** How many calls wait for a collection of each type. */
    private final Map<Type, AtomicInteger> byType = new EnumMap<>(Type.class);

    private int count;
    private long arrivals;

    /** A copy of {@code count} for readers without the lock. */
    private volatile int keyCount;

    private KeyChanges.@Nullable Subscription subscription;
    private boolean severalLogs;

    /** @param budget the memory that all clients together may use */
    public Waiting(Budget budget) {
        this.budget = budget;
        for (Type type : Type.values()) {
            byType.put(type, new AtomicInteger());
        }
    }

    /**
     * Enters the queues of its keys, whose stripes the caller holds: no write can fall between the read and the entry.
     *
     * @throws RedisError when the budget has no space for its keys
     */
    public synchronized void enter(Waiter waiter) {
        RedisMemory.takeInput(budget, waiter.heldBytes(), "no space to wait for keys");
        waiter.arrival(++arrivals);
        waiter.session().waiter(waiter);
        KeyList touched = keyLists.computeIfAbsent(waiter.touched(), KeyList::new);
        touched.enter();
        count(waiter, 1);
        for (Bytes key : waiter.keys()) {
            if (keys.computeIfAbsent(key, name -> new AwaitedKey()).add(waiter, touched)) {
                count++;
            }
        }
        listen();
    }

    /**
     * Subscribes to key changes.
     *
     * @param several whether the key space is spread over several logs: then SWAPDB cannot serve calls in its own
     *     commit
     */
    public synchronized void listenTo(KeyChanges changes, boolean several) {
        subscription = changes.subscribe(this);
        severalLogs = several;
    }

    private synchronized void remove(Waiter waiter) {
        KeyList touched = keyLists.get(waiter.touched());
        if (touched == null) {
            return;
        }
        count(waiter, -1);
        if (touched.leave()) {
            keyLists.remove(waiter.touched());
        }
        budget.release(waiter.heldBytes());
        for (Bytes key : waiter.keys()) {
            AwaitedKey awaited = keys.get(key);
            if (awaited != null && awaited.remove(waiter, touched)) {
                count--;
                if (awaited.isEmpty()) {
                    keys.remove(key);
                }
            }
        }
        listen();
    }

    private void listen() {
        keyCount = count;
        if (subscription != null) {
            subscription.wantChanges(keyCount != 0);
        }
    }

    /** Ends the call without a reply; false when it was already answered. */
    public boolean end(Waiter waiter) {
        if (!waiter.claim()) {
            return false;
        }
        try {
            waiter.endUnserved();
            endClaimed(waiter);
            return true;
        } finally {
            waiter.release();
        }
    }

    /** Ends the call; the caller holds its lock. */
    public void endClaimed(Waiter waiter) {
        waiter.end();
        waiter.session().waiter(null);
        remove(waiter);
    }

    /** Ends the session's blocked call, if any: its client is gone. */
    public void leave(Session session) {
        Waiter waiter = session.waiter();
        if (waiter != null) {
            end(waiter);
        }
    }

    /**
     * Ends the session's blocked call with this reply; with null, with its timeout reply. False when it is not blocked.
     */
    public boolean interrupt(Session session, @Nullable Reply answer) {
        Waiter waiter = session.waiter();
        if (waiter == null || !end(waiter)) {
            return false;
        }
        session.peer().answer(waiter, answer == null ? waiter.otherwise() : answer);
        return true;
    }

    /** The number of awaited keys; the same name in two databases counts twice. */
    public int keyCount() {
        return keyCount;
    }

    /** The number of awaited keys with a call that also runs when the key is gone. */
    public int keyCountWhenGone() {
        return keys.values().stream().mapToInt(AwaitedKey::countCaringWhenGone).sum();
    }

    /** Whether any call waits for a collection of the type, on any key. */
    public boolean awaits(Type type) {
        return waitingFor(type).get() > 0;
    }

    /** A call without keys, such as WAIT, waits for no type. */
    private void count(Waiter waiter, int change) {
        if (!waiter.keys().isEmpty()) {
            waitingFor(waiter.type()).addAndGet(change);
        }
    }

    private AtomicInteger waitingFor(Type type) {
        return Objects.requireNonNull(byType.get(type));
    }

    /** Whether any call waits for the key, in any database. */
    public boolean isAwaited(Bytes key) {
        return keyCount != 0 && keys.containsKey(key);
    }

    /** The distinct key lists of the calls that wait for this key. */
    public Set<KeyList> keyLists(Bytes key) {
        AwaitedKey awaited = keys.get(key);
        return awaited == null ? Set.of() : awaited.keyLists();
    }

    /** The first call behind that position in the key's queue, or null. */
    public @Nullable Waiter next(int database, Bytes key, long after) {
        AwaitedKey.Queue queue = queue(database, key);
        return queue == null ? null : queue.after(after);
    }

    /** Whether one of the calls on the key also runs when the key is gone. */
    public boolean caresWhenGone(int database, Bytes key) {
        AwaitedKey.Queue queue = queue(database, key);
        return queue != null && queue.caresWhenGone();
    }

    private AwaitedKey.@Nullable Queue queue(int database, Bytes key) {
        AwaitedKey awaited = keys.get(key);
        return awaited == null ? null : awaited.queue(database);
    }

    /** The awaited keys of the database. */
    public List<Bytes> keysOf(int database) {
        List<Bytes> waited = new ArrayList<>();
        keys.forEach((key, awaited) -> {
            if (awaited.queue(database) != null) {
                waited.add(key);
            }
        });
        return waited;
    }

    /** Retries calls that no dispatcher could serve in its own commit; each runs on its own event loop. */
    @Override
    public void committed(Unit unit) {
        for (Change change : unit.changes()) {
            if (change instanceof Change.Key gone && isUnserved(gone, unit.origin())) {
                retry(gone.database(), gone.key());
            } else if (change instanceof Change.Swapped swapped && severalLogs) {
                retryAll(swapped.one());
                retryAll(swapped.other());
            }
        }
    }

    /** The background serves nobody, nor does a read that removes the expired key it meets. */
    private static boolean isUnserved(Change.Key change, Origin origin) {
        return change.holds() == null
                && (origin == Origin.BACKGROUND || change.event().equals(KeyEvent.EXPIRED));
    }

    private void retryAll(int database) {
        keysOf(database).forEach(key -> retry(database, key));
    }

    private void retry(int database, Bytes key) {
        Waiter waiter = next(database, key, 0);
        while (waiter != null) {
            waiter.session().peer().retry(waiter);
            waiter = next(database, key, waiter.arrival());
        }
    }
}
