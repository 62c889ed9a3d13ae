package io.polytable.frontend.session;

import java.util.concurrent.CompletableFuture;

/**
 * The cancellation token of one unit of work, such as a request: any thread may cancel it, because its client left or its
 * session ends, and whoever works for it registers how to stop. Cancelled once, it stays so. Thread safe.
 */
public final class Cancellation {
    private final CompletableFuture<Void> requested = new CompletableFuture<>();

    public boolean isCancelled() {
        return requested.isDone();
    }

    /** Runs the registered actions on this thread, unless it was cancelled before. */
    public void cancel() {
        requested.complete(null);
    }

    /** Runs the action once the work is cancelled: at once if it is already. The action must not block. */
    public void onCancel(Runnable action) {
        var unused = requested.thenRun(action);
    }
}
