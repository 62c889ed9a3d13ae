package io.polytable.sql.query;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A statement at work, and how it is stopped: by somebody else, or by its time limit. */
public final class Running {
    /** Reading the clock for every row would cost more than many rows do. */
    private static final int CHECKS_PER_LOOK = 64;

    /** How often who waits for a lock looks whether it was cancelled; each look loses its place in the queue. */
    private static final long LOCK_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Duration TIMEOUT_MAX = Duration.ofDays(365);

    private final long deadlineNanos;
    private final AtomicReference<@Nullable SqlError> stop = new AtomicReference<>();
    private volatile Runnable canceller = () -> {};
    private int checks;

    public Running(Duration timeout) {
        Duration bounded = timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout;
        deadlineNanos = System.nanoTime() + bounded.toNanos();
    }

    public void canceller(Runnable action) {
        canceller = action;
        if (stop.get() != null) {
            action.run();
        }
    }

    /** How long it may still take; none once its time is over. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    public void timeOut() {
        stop(new SqlError(SqlCode.TIMEOUT, "canceling statement due to statement timeout"));
    }

    public void cancel() {
        stop(new SqlError(SqlCode.CANCELLED, "canceling statement due to user request"));
    }

    private void stop(SqlError reason) {
        stop.compareAndSet(null, reason);
        canceller.run();
    }

    /** Why it has to stop, if it has. */
    public Optional<SqlError> stopped() {
        return Optional.ofNullable(stop.get());
    }

    /**
     * Takes the lock, unless the statement has to stop before it gets it.
     *
     * @throws SqlError when it has to
     */
    public void lock(Lock lock) {
        try {
            // With a time, even none: without one a reader would overtake a writer that waits.
            while (!lock.tryLock(Math.min(left().toNanos(), LOCK_LOOK_NANOS), TimeUnit.NANOSECONDS)) {
                if (left().isZero()) {
                    timeOut();
                }
                check();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
        }
    }

    /** Asked for every row by what does not run in DuckDB, on the statement's own thread. */
    public void check() {
        if (++checks % CHECKS_PER_LOOK == 0 && System.nanoTime() - deadlineNanos > 0) {
            timeOut();
        }
        SqlError reason = stop.get();
        if (reason != null) {
            throw reason;
        }
    }
}
