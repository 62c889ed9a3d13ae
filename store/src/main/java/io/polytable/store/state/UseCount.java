package io.polytable.store.state;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts who is inside the native library, because closing it beneath a reader would end the process. Users come and go
 * with one atomic step; closing keeps new ones out and waits for those inside.
 */
final class UseCount {
    private static final Duration CLOSE_WAIT_MAX = Duration.ofSeconds(30);

    private final AtomicInteger users = new AtomicInteger();
    private volatile boolean shut;
    private volatile boolean ended;

    void enter() {
        users.incrementAndGet();
        while (shut) {
            leave();
            if (ended) {
                throw new StoreException(StoreError.CLOSED, "The store is closed");
            }
            Thread.onSpinWait();
            users.incrementAndGet();
        }
    }

    void leave() {
        users.decrementAndGet();
    }

    /** Keeps everyone out; answers false, and lets them in again, when some do not leave in time. */
    boolean shut() {
        shut = true;
        long deadline = System.nanoTime() + CLOSE_WAIT_MAX.toNanos();
        while (users.get() > 0) {
            if (System.nanoTime() > deadline) {
                shut = false;
                return false;
            }
            LockSupport.parkNanos(100_000);
        }
        return true;
    }

    void open() {
        shut = false;
    }

    /** From now on everyone is refused. */
    void end() {
        ended = true;
    }
}
