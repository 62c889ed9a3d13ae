package io.polytable.sql.query;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** The cancellation token of a running statement: stops it at its deadline or on a request by another thread. */
public final class Cancellation {
    /** The clock is read at every n-th check: reading it for each row would often cost more than the row. */
    private static final int CHECKS_PER_LOOK = 64;

    /** How often a wait for a lock checks for cancellation; each check loses its place in the lock's queue. */
    private static final long LOCK_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often a wait for an event checks for cancellation. */
    private static final long EVENT_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Duration TIMEOUT_MAX = Duration.ofDays(365);

    private final long deadlineNanos;
    private final AtomicReference<@Nullable SqlError> stop = new AtomicReference<>();
    private volatile Runnable onStop = () -> {};
    private int checks;

    public Cancellation(Duration timeout) {
        Duration bounded = timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout;
        deadlineNanos = System.nanoTime() + bounded.toNanos();
    }

    public void onStop(Runnable action) {
        onStop = action;
        if (stop.get() != null) {
            action.run();
        }
    }

    /** The time until the deadline; zero once it has passed. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    public void timeOut() {
        stop(new SqlError(SqlCode.TIMEOUT, "canceling statement due to statement timeout"));
    }

    public void cancel() {
        stop(new SqlError(SqlCode.CANCELLED, "canceling statement due to user request"));
    }

    /** Stops the statement because the process has too little memory left. */
    public void outOfMemory() {
        stop(new SqlError(SqlCode.OUT_OF_MEMORY, "canceling statement because queries take more memory than allowed"));
    }

    private void stop(SqlError reason) {
        stop.compareAndSet(null, reason);
        onStop.run();
    }

    /** Why the statement must stop, if it must. */
    public Optional<SqlError> stopped() {
        return Optional.ofNullable(stop.get());
    }

    /**
     * Acquires the lock.
     *
     * @throws SqlError if the statement must stop first
     */
    public void lock(Lock lock) {
        try {
            // The timed form even if no time is left: the untimed one lets a reader overtake a waiting writer.
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

    /**
     * Waits for the event.
     *
     * @throws SqlError if the statement must stop first
     * @throws RuntimeException the one with which the event failed
     */
    public void await(Future<?> event) {
        while (true) {
            try {
                Object unused = event.get(Math.min(left().toNanos(), EVENT_LOOK_NANOS), TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException early) {
                if (left().isZero()) {
                    timeOut();
                }
                check();
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
            }
        }
    }

    /** Throws if the statement must stop; unlike {@link #check}, always reads the clock. */
    public void checkNow() {
        if (left().isZero()) {
            timeOut();
        }
        SqlError reason = stop.get();
        if (reason != null) {
            throw reason;
        }
    }

    /** Throws if the statement must stop. Called for every row outside DuckDB, on the statement's own thread. */
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
