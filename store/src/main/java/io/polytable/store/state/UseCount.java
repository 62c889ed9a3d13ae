package io.polytable.store.state;

import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls into the native library, because closing it beneath one would end the process. Calls come and go with one
 * atomic step; closing keeps new ones out and waits for those under way. Only the thread that closed may go in
 * meanwhile: to bring the rows back before anyone looks.
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

    private boolean isShutOut() {
        Thread owner = shutBy;
        return owner != null && (owner != Thread.currentThread() || ended);
    }

    /** Whether anybody may enter. */
    boolean isOpen() {
        return shutBy == null;
    }

    void leave() {
        users.decrementAndGet();
    }

    /**
     * Keeps everyone else out; answers false, and lets them in again, when some do not leave in so much time. New users
     * wait meanwhile.
     */
    boolean shut(Duration most) {
        shutBy = Thread.currentThread();
        long deadline = System.nanoTime() + most.toNanos();
        while (users.get() > 0) {
            if (System.nanoTime() > deadline) {
                open();
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

    /** It is never opened again: the thread that closed it is kept out as well. */
    void end() {
        ended = true;
    }

    /** Until it is opened, those who are kept out are refused instead of waiting. */
    void refuse(StoreException reason) {
        refusal = reason;
    }
}
