package io.polytable.redis.model.keyspace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of key lookups: hits, misses, keys removed because they had expired, and changed keys. Each unit of work has its own, so
 * that a count is a plain addition; a reader may see slightly older values.
 */
public final class Lookups {
    private static final int HITS = 0;
    private static final int MISSES = 1;
    private static final int EXPIRED = 2;
    private static final int CHANGED = 3;
    private static final int EVICTED = 4;
    private static final int KINDS = 5;

    /** The counts of open units. The lock guards the list only: a unit adds to its own count without it. */
    private final List<Count> counts = new ArrayList<>();

    /** The sums of closed units. */
    private final long[] closed = new long[KINDS];

    private Sums atReset = new Sums(0, 0, 0, 0);
    private final LongAdder expiryNanos = new LongAdder();

    /** The counts since the last reset. */
    public record Sums(long hits, long misses, long expired, long evicted) {}

    /** The counts of one unit of work. */
    static final class Count {
        private final AtomicLongArray values = new AtomicLongArray(KINDS);

        void read(boolean present) {
            add(present ? HITS : MISSES, 1);
        }

        void expired(long keys) {
            add(EXPIRED, keys);
        }

        void evicted() {
            add(EVICTED, 1);
        }

        void changed(long keys) {
            add(CHANGED, keys);
        }

        private void add(int kind, long more) {
            values.setOpaque(kind, values.getPlain(kind) + more);
        }
    }

    synchronized Count newCount() {
        Count count = new Count();
        counts.add(count);
        return count;
    }

    /** Keeps the sums of a unit that ends, and releases its count. */
    synchronized void close(Count count) {
        if (counts.remove(count)) {
            for (int kind = 0; kind < KINDS; kind++) {
                closed[kind] += count.values.getOpaque(kind);
            }
        }
    }

    /** The number of units of work that are not closed. */
    public synchronized int unitCount() {
        return counts.size();
    }

    private long sum(int kind) {
        long sum = closed[kind];
        for (Count count : counts) {
            sum += count.values.getOpaque(kind);
        }
        return sum;
    }

    public synchronized Sums sums() {
        Sums then = atReset;
        return new Sums(
                sum(HITS) - then.hits,
                sum(MISSES) - then.misses,
                sum(EXPIRED) - then.expired,
                sum(EVICTED) - then.evicted);
    }

    /** The background thread has spent this time on expired keys. */
    public void spentExpiring(long nanos) {
        expiryNanos.add(nanos);
    }

    public long expiryMillis() {
        return TimeUnit.NANOSECONDS.toMillis(expiryNanos.sum());
    }

    /** The number of committed changes of keys since the start; a reset does not concern it. */
    public synchronized long changed() {
        return sum(CHANGED);
    }

    public synchronized void reset() {
        atReset = new Sums(sum(HITS), sum(MISSES), sum(EXPIRED), sum(EVICTED));
        expiryNanos.reset();
    }
}
