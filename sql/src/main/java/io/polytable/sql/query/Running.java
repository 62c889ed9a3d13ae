package io.polytable.sql.query;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A statement at work, and how it is stopped from outside. */
public final class Running {
    private final AtomicReference<@Nullable SqlError> stop = new AtomicReference<>();
    private volatile Runnable canceller = () -> {};

    void canceller(Runnable action) {
        canceller = action;
        if (stop.get() != null) {
            action.run();
        }
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

    /** Asked now and then by what does not run in DuckDB. */
    public void check() {
        SqlError reason = stop.get();
        if (reason != null) {
            throw reason;
        }
    }
}
