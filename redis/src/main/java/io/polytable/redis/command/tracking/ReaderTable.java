package io.polytable.redis.command.tracking;

import io.polytable.frontend.limit.Budget;
import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The clients that read each key, regardless of the database, as in Redis. Clients are stored by id, since one may be
 * gone when the key changes. Bounded by keys and by bytes. Thread safe.
 */
final class ReaderTable {
    /** The overhead of a key: the map entry, the key's object, the ids. */
    private static final int ENTRY_BYTES = 150;

    private static final long[] NOBODY = {};

    private final Map<Bytes, long[]> readers = new ConcurrentHashMap<>();
    private final AtomicLong items = new AtomicLong();
    private final Budget memory;
    private Iterator<Bytes> victims = Collections.emptyIterator();

    ReaderTable(Budget memory) {
        this.memory = memory;
    }

    void add(Bytes key, long client) {
        long[] known = readers.get(key);
        if (known == null) {
            // A copy: the table must not keep network chunks alive.
            readers.compute(key.copy(), (own, before) -> with(own, before, client));
        } else if (!contains(known, client)) {
            readers.compute(key, (own, before) -> with(own, before, client));
        }
    }

    private long[] with(Bytes key, long @Nullable [] before, long client) {
        items.incrementAndGet();
        if (before == null) {
            memory.take((long) ENTRY_BYTES + key.length() + Long.BYTES);
            return new long[] {client};
        }
        memory.take(Long.BYTES);
        return with(before, client);
    }

    private static boolean contains(long[] ids, long client) {
        for (long id : ids) {
            if (id == client) {
                return true;
            }
        }
        return false;
    }

    private static long[] with(long[] ids, long client) {
        long[] more = Arrays.copyOf(ids, ids.length + 1);
        more[ids.length] = client;
        return more;
    }

    /** Removes the key; returns the clients that had read it. */
    long[] remove(Bytes key) {
        long[] ids = readers.remove(key);
        if (ids == null) {
            return NOBODY;
        }
        items.addAndGet(-ids.length);
        memory.release((long) ENTRY_BYTES + key.length() + (long) Long.BYTES * ids.length);
        return ids;
    }

    /** Whether a key must be evicted. Zero keys means no limit but the bytes. */
    boolean exceeds(long keysMax) {
        return (keysMax > 0 && readers.size() > keysMax) || memory.isFull();
    }

    /**
     * Any key, to be evicted. Continues where the last call stopped: starting over would scan the same empty buckets
     * again.
     */
    synchronized Bytes any() {
        if (!victims.hasNext()) {
            victims = readers.keySet().iterator();
        }
        return victims.hasNext() ? victims.next() : Bytes.EMPTY;
    }

    void clear() {
        for (Bytes key : readers.keySet()) {
            remove(key);
        }
    }

    boolean isEmpty() {
        return readers.isEmpty();
    }

    long keys() {
        return readers.size();
    }

    /** The number of (key, client) pairs. */
    long items() {
        return items.get();
    }
}
