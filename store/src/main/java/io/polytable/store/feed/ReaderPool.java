package io.polytable.store.feed;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The log readers of all change feeds of a store, bounded because each has its own buffer. All partitions share them: with
 * many partitions even a reader for each partition's tail would exceed the feeds' share of the heap.
 *
 * <p>There is one reader more than feeds behind the tail may have. A feed that has not used its reader for a while
 * loses it to a feed that needs one, and later opens another at its position: an idle feed blocks nobody. A tail loses
 * its reader to whoever needs one as soon as it does not use it.
 */
public final class ReaderPool {
    static final Duration IDLE_AFTER = Duration.ofSeconds(3);

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition unused = lock.newCondition();

    /** Least recently used first. */
    private final Set<Lease> leases = new LinkedHashSet<>();

    public ReaderPool() {
        this(System::nanoTime);
    }

    ReaderPool(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Opens a reader for a feed behind the tail, in use until {@link Lease#end}.
     *
     * @param most how many such feeds may have a reader, in all partitions together
     */
    Lease open(CommitLog log, long from, int most) {
        return open(new Lease(false), log, from, most);
    }

    /** Opens a reader for a tail, in use until {@link Lease#end}. Waits if all readers are in use at present. */
    Lease openForTail(CommitLog log, long from, int most) {
        return open(new Lease(true), log, from, most);
    }

    private Lease open(Lease lease, CommitLog log, long from, int most) {
        take(lease, most);
        boolean isOpen = false;
        try {
            lease.reader = log.read(from);
            isOpen = true;
            return lease;
        } finally {
            if (!isOpen) {
                lease.close();
            }
        }
    }

    private void take(Lease lease, int most) {
        lock.lock();
        try {
            while (!hasRoom(lease, most)) {
                // Feeds have at most all readers but one, so a full pool always contains a tail's.
                if (!closeFirst(held -> held.isTail && !held.isUsed)) {
                    unused.awaitUninterruptibly();
                }
            }
            leases.add(lease);
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom(Lease lease, int most) {
        if (!lease.isTail) {
            requireFree(most);
        }
        return leases.size() <= most;
    }

    private void requireFree(int most) {
        long now = nanoTime.getAsLong();
        if (feeds() >= most) {
            boolean unusedClosed =
                    closeFirst(held -> !held.isTail && !held.isUsed && now - held.usedNanos >= IDLE_AFTER.toNanos());
        }
        if (feeds() >= most) {
            throw new StoreException(
                    StoreError.TOO_MANY, "Too many feeds are behind the log's tail", Map.of("limit", most));
        }
    }

    private long feeds() {
        return leases.stream().filter(lease -> !lease.isTail).count();
    }

    /** Returns whether there was one. */
    private boolean closeFirst(Predicate<Lease> condition) {
        for (Lease lease : leases) {
            if (condition.test(lease)) {
                lease.close();
                return true;
            }
        }
        return false;
    }

    /** A reader that its holder may lose while it does not use it. */
    final class Lease implements AutoCloseable {
        private final boolean isTail;
        private @Nullable LogReader reader;
        private boolean isUsed = true;
        private long usedNanos;

        private Lease(boolean isTail) {
            this.isTail = isTail;
        }

        /** Begins a use of the reader, until {@link #end}; null if the reader was taken away. */
        @Nullable
        LogReader begin() {
            lock.lock();
            try {
                isUsed = reader != null;
                return reader;
            } finally {
                lock.unlock();
            }
        }

        void end() {
            lock.lock();
            try {
                isUsed = false;
                usedNanos = nanoTime.getAsLong();
                if (leases.remove(this)) {
                    leases.add(this);
                }
                unused.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                leases.remove(this);
                unused.signalAll();
                LogReader open = reader;
                if (open != null) {
                    reader = null;
                    open.close();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
