package io.polytable.store.feed;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.LogReader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pool of log readers for feeds behind the tail, bounded because each has its own buffer. A feed that has not used
 * its reader for a while loses it to a feed that needs one, and later opens another at its position: an idle feed
 * blocks nobody.
 */
final class LogReaders {
    static final Duration IDLE_AFTER = Duration.ofSeconds(3);

    private final CommitLog log;
    private final int most;
    private final LongSupplier nanoTime;

    /** Least recently used first. */
    private final Set<Lease> leases = new LinkedHashSet<>();

    LogReaders(CommitLog log, int most, LongSupplier nanoTime) {
        this.log = log;
        this.most = most;
        this.nanoTime = nanoTime;
    }

    /** Opens a reader, in use until {@link Lease#end}. */
    Lease open(long from) {
        Lease lease = new Lease();
        lease.take();
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

    /** A reader that an idle feed may lose. */
    final class Lease implements AutoCloseable {
        private @Nullable LogReader reader;
        private boolean isUsed = true;
        private long usedNanos;

        private void take() {
            synchronized (LogReaders.this) {
                if (leases.size() >= most) {
                    releaseIdle();
                }
                if (leases.size() >= most) {
                    throw new StoreException(
                            StoreError.TOO_MANY, "Too many feeds are behind the log's tail", Map.of("limit", most));
                }
                leases.add(this);
            }
        }

        /** Begins a use of the reader, until {@link #end}; null if the reader was taken away. */
        @Nullable
        LogReader begin() {
            synchronized (LogReaders.this) {
                isUsed = reader != null;
                return reader;
            }
        }

        void end() {
            synchronized (LogReaders.this) {
                isUsed = false;
                usedNanos = nanoTime.getAsLong();
                if (leases.remove(this)) {
                    leases.add(this);
                }
            }
        }

        @Override
        public void close() {
            synchronized (LogReaders.this) {
                leases.remove(this);
                LogReader open = reader;
                if (open != null) {
                    reader = null;
                    open.close();
                }
            }
        }
    }

    private void releaseIdle() {
        long now = nanoTime.getAsLong();
        for (Lease lease : leases) {
            if (!lease.isUsed && now - lease.usedNanos >= IDLE_AFTER.toNanos()) {
                lease.close();
                return;
            }
        }
    }
}
