package io.polytable.store.state;

import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A gate around calls into RocksDB: closing the database during a call would crash the process. Entering and leaving is
 * one atomic step. Closing the gate keeps new calls out and waits for those in progress. Only the thread that closed it
 * may enter meanwhile, to write lost rows again before anyone reads.
 */
final class UseCount {
    private static final long PAUSE_NANOS = 100_000;

    private final AtomicInteger users = new AtomicInteger();
    private volatile @Nullable Thread shutBy;
    private volatile @Nullable StoreException refusal;
    private volatile boolean ended;

    void enter() {
        users.incrementAndGet();
        while (isShutOut()) {
            leave();
            StoreException reason = refusal;
            if (reason != null) {
                throw new StoreException(reason.error(), "The state is not open", Map.of(), reason);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            users.incrementAndGet();
        }
    }

    /** As {@link #enter}, but returns false where that would wait or fail. */
    boolean tryEnter() {
        users.incrementAndGet();
        boolean entered = !isShutOut();
        if (!entered) {
            leave();
        }
        return entered;
    }

    private boolean isShutOut() {
        Thread owner = shutBy;
        // After a failed reopen there is no database, also for the thread that closed it.
        return ended || (owner != null && (owner != Thread.currentThread() || refusal != null));
    }

    /** Whether anybody may enter. */
    boolean isOpen() {
        return shutBy == null && !ended;
    }

    void leave() {
        users.decrementAndGet();
    }

    /**
     * Closes the gate for all other threads. Returns false, with the gate as it was, if calls in progress do not leave
     * in time: after a failed reopen it was shut, and behind it there is no open database. New calls wait meanwhile.
     */
    boolean shut(Duration most) {
        Thread before = shutBy;
        shutBy = Thread.currentThread();
        long deadline = System.nanoTime() + most.toNanos();
        while (users.get() > 0) {
            if (System.nanoTime() > deadline) {
                shutBy = before;
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    void open() {
        refusal = null;
        shutBy = null;
    }

    /** Refuses everybody for good, also the thread that closes the gate, and even if calls in progress never leave. */
    void end(StoreException reason) {
        refusal = reason;
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** The thread that closed the gate may enter again; others wait. */
    void reopened() {
        refusal = null;
    }

    /** Until the gate opens, callers are refused instead of waiting. */
    void refuse(StoreException reason) {
        refusal = reason;
    }
}
