package io.polytable.sql.query;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A statement at work, and how it is stopped: by somebody else, or by its time limit. */
public final class Running {
    /** Reading the clock for every row would cost more than many rows do. */
    private static final int CHECKS_PER_LOOK = 64;

    private static final Duration TIMEOUT_MAX = Duration.ofDays(365);

    private final long deadlineNanos;
    private final AtomicReference<@Nullable SqlError> stop = new AtomicReference<>();
    private volatile Runnable canceller = () -> {};
    private int checks;

    public Running(Duration timeout) {
        Duration bounded = timeout.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : timeout;
        deadlineNanos = System.nanoTime() + bounded.toNanos();
    }

    void canceller(Runnable action) {
        canceller = action;
        if (stop.get() != null) {
            action.run();
        }
    }

    /** How long it may still take; none once its time is over. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    void timeOut() {
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
