package io.polytable.redis.command.transaction;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.Transaction;
import io.polytable.redis.command.Transaction.Watched;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.RedisMemory;
import io.polytable.redis.model.change.Change;
import io.polytable.redis.model.change.ChangeListener;
import io.polytable.redis.model.change.KeyChanges;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The watched keys of all sessions (WATCH). */
public final class Watches implements ChangeListener {
    private final RedisTables tables;
    private final Budget budget;
    private final Map<Place, Set<Watched>> watchers = new ConcurrentHashMap<>();
    private final KeyChanges.Subscription subscription;

    private record Place(int database, Bytes key) {
        static Place of(Watched watched) {
            return new Place(watched.database(), watched.key());
        }
    }

    /** @param budget the memory that all clients together may use */
    public Watches(Keyspace keyspace, Budget budget) {
        this.budget = budget;
        tables = keyspace.tables();
        subscription = keyspace.changes().subscribe(this);
    }

    /**
     * Watches the keys, whose stripes are held.
     *
     * @throws RedisError when the budget has no space for them; then none is watched
     */
    void watch(Session session, List<Bytes> keys, long nowMillis) {
        Transaction transaction = session.transaction();
        if (transaction.isTouched()) {
            // EXEC will not run anyway.
            return;
        }
        List<Bytes> more = keys.stream()
                .distinct()
                .filter(key -> !isWatched(transaction, session.database(), key))
                .toList();
        // All lookups come before any change: a lookup can fail.
        BitSet present = new BitSet(more.size());
        for (int i = 0; i < more.size(); i++) {
            present.set(i, isPresent(session.database(), more.get(i), nowMillis));
        }
        RedisMemory.takeInput(budget, more.stream().mapToLong(Watched::bytesOf).sum(), "no space to watch keys");
        for (int i = 0; i < more.size(); i++) {
            add(new Watched(transaction, session.database(), more.get(i).copy(), present.get(i)));
        }
        listen();
    }

    private boolean isPresent(int database, Bytes key, long nowMillis) {
        return header(database, key)
                .filter(header -> !header.isExpired(nowMillis))
                .isPresent();
    }

    private boolean isWatched(Transaction transaction, int database, Bytes key) {
        return watchers.getOrDefault(new Place(database, key), Set.of()).stream()
                .anyMatch(each -> each.owner() == transaction);
    }

    private void add(Watched watched) {
        watchers.compute(Place.of(watched), (place, all) -> {
            Set<Watched> more = all == null ? ConcurrentHashMap.newKeySet() : all;
            more.add(watched);
            return more;
        });
        watched.owner().watch(watched);
    }

    /** Drops the session's watched keys. */
    public void forget(Session session) {
        remove(session.transaction().unwatch());
    }

    /**
     * For a client that disconnects, maybe while a worker runs its EXEC: that runs nothing, unless it has already
     * checked.
     */
    public void leave(Session session) {
        remove(session.transaction().abandon());
    }

    private void remove(List<Watched> all) {
        for (Watched watched : all) {
            budget.release(watched.bytes());
            watchers.computeIfPresent(Place.of(watched), (place, others) -> {
                others.remove(watched);
                return others.isEmpty() ? null : others;
            });
        }
        if (!all.isEmpty()) {
            listen();
        }
    }

    private synchronized void listen() {
        subscription.wantChanges(!watchers.isEmpty());
    }

    /** Whether a watched key changed or expired. The stripes of the watched keys are held. */
    public boolean isTouched(Session session, long nowMillis) {
        Transaction transaction = session.transaction();
        // Reads the keys first: a disconnect drops the keys and marks the transaction as touched.
        List<Watched> watched = transaction.watched();
        return transaction.isTouched()
                || watched.stream()
                        .anyMatch(each -> each.present() && hasExpired(each.database(), each.key(), nowMillis));
    }

    private boolean hasExpired(int database, Bytes key, long nowMillis) {
        return header(database, key)
                .filter(header -> header.isExpired(nowMillis))
                .isPresent();
    }

    private Optional<Header> header(int database, Bytes key) {
        return tables.header(tables.store(), tables.databases().physical(database), key);
    }

    /** The number of watched keys. */
    public int keyCount() {
        return watchers.size();
    }

    @Override
    public void committed(Unit unit) {
        for (Change change : unit.changes()) {
            if (change instanceof Change.Key key && key.event().alters()) {
                touch(key);
            } else if (change instanceof Change.Flushed flushed) {
                flush(flushed.database());
            } else if (change instanceof Change.Swapped swapped) {
                replace(swapped.one());
                replace(swapped.other());
            }
        }
    }

    private void touch(Change.Key change) {
        Set<Watched> all = watchers.getOrDefault(new Place(change.database(), change.key()), Set.of());
        for (Watched each : all) {
            if (each.present() || !change.event().equals(KeyEvent.EXPIRED)) {
                each.owner().touch();
            }
        }
    }

    /** As in Redis, only existing keys are touched. */
    private void flush(int database) {
        watchers.forEach((place, all) -> {
            if (place.database == database) {
                all.stream()
                        .filter(Watched::present)
                        .forEach(each -> each.owner().touch());
            }
        });
    }

    /** As in Redis, a key that exists in either of the two databases is touched. All stripes are held. */
    private void replace(int database) {
        watchers.forEach((place, all) -> {
            if (place.database == database) {
                boolean present = header(database, place.key).isPresent();
                all.stream()
                        .filter(each -> present || each.present())
                        .forEach(each -> each.owner().touch());
            }
        });
    }
}
