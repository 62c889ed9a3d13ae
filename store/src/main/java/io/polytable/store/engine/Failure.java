package io.polytable.store.engine;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The engine's fail-stop switch. After a failed write or sync the content of the log is unknown, while memory shows
 * commits that it may lack. An engine that lost one of its threads stops keeping its promises sooner or later. In
 * either case the engine answers nothing until the store is opened again.
 */
final class Failure {
    private final AtomicReference<@Nullable StoreException> cause = new AtomicReference<>();
    private volatile Runnable listener = () -> {};

    /** Sets the listener that runs once, on the thread that failed. */
    void onFailure(Runnable told) {
        listener = told;
    }

    /** The log could not be written or synced. */
    StoreException set(Throwable reason) {
        return set("The log failed; the store must be opened again", reason);
    }

    /** One of the engine's threads ended with an error. */
    StoreException threadEnded(String thread, Throwable reason) {
        return set("The thread " + thread + " ended; the store must be opened again", reason);
    }

    /** Only the first failure is kept. */
    private StoreException set(String text, Throwable reason) {
        StoreException failure = new StoreException(StoreError.FAILED, text, Map.of(), reason);
        if (cause.compareAndSet(null, failure)) {
            listener.run();
        }
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
            throw new StoreException(failure.error(), "The store cannot continue", Map.of(), failure);
        }
    }
}
