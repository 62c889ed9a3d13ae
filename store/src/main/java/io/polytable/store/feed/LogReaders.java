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
 * The readers of feeds behind the tail: each has a buffer of its own, so there are only so many. Who does not use its reader
 * for a while loses it to one that needs it, and opens another where it was: an idle feed keeps nobody from reading.
 */
final class LogReaders {
    static final Duration IDLE_AFTER = Duration.ofSeconds(3);

    private final CommitLog log;
    private final int most;
    private final LongSupplier nanoTime;

    /** Who used its reader longest ago comes first. */
    private final Set<Lease> leases = new LinkedHashSet<>();

    LogReaders(CommitLog log, int most, LongSupplier nanoTime) {
        this.log = log;
        this.most = most;
        this.nanoTime = nanoTime;
    }

    /** Opens a reader, which is in use until {@link Lease#end}. */
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

    /** A reader, as long as nobody else needs it more. */
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

        /** The reader, to be used until {@link #end}; null when it went to another. */
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
