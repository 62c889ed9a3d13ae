package io.polytable.store;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether the engine can go on. After a failed write or sync nobody knows what the log holds, while memory shows commits
 * that it may not hold: nothing is answered any more until the store is opened again.
 */
final class Failure {
    private final AtomicReference<@Nullable StoreException> cause = new AtomicReference<>();

    /** The first failure counts. */
    StoreException set(Throwable reason) {
        StoreException failure = new StoreException(
                StoreError.FAILED, "The log failed; the store must be opened again", Map.of(), reason);
        cause.compareAndSet(null, failure);
        return failure;
    }

    void close() {
        cause.compareAndSet(null, new StoreException(StoreError.CLOSED, "The store is closed"));
    }

    @Nullable
    StoreException get() {
        return cause.get();
    }

    void check() {
        StoreException failure = cause.get();
        if (failure != null) {
            throw new StoreException(failure.error(), "The store cannot go on", Map.of(), failure);
        }
    }
}
