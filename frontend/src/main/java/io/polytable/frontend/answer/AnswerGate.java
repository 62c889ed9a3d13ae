package io.polytable.frontend.answer;

import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Releases an answer once everything that it may have seen is durable and this process still owns the log.
 *
 * <p>A commit is visible to readers before it is durable. An answer that shows it must therefore wait, whether it
 * acknowledges the commit or only read it: after a crash, or after another process took over the log, the row would be
 * gone although a client had seen it. The rule is conservative: an answer waits for the latest commit of any writer at
 * the time when its last row was read. In a busy server that commit becomes durable together with the answer's own.
 *
 * <p>Usage: read, then call {@link #seen()}; an answer that only acknowledges a commit takes that commit instead. Then wait
 * for it in one of four ways before the first byte of the answer leaves.
 */
public final class AnswerGate {
    private final TableStore store;

    public AnswerGate(TableStore store) {
        this.store = store;
    }

    /** Returns the last commit that an answer which is complete now may have seen. */
    public Commit seen() {
        return store.latest();
    }

    /**
     * Waits until a commit is durable that is not an answer but that a later step relies on: a definition, the end of a
     * job, a manifest that names files.
     *
     * @throws StoreException if it can never become durable
     */
    public static void settle(Commit commit) {
        commit.awaitDurable();
    }

    /** Returns whether the answer can never become safe: its commits are lost. It never waits. */
    public boolean isLost(Commit seen) {
        return seen.durable().toCompletableFuture().isCompletedExceptionally();
    }

    /** Returns whether the answer may leave now. It never waits, so event loops may ask. */
    public boolean isSafe(Commit seen) {
        return seen.isDurable();
    }

    /**
     * Sends the answer as soon as it is safe: on this thread if it is now, otherwise on a thread of the log, which must
     * not be held up.
     *
     * @param drop receives the reason why the answer can never become safe; the client must not see the answer
     */
    public void whenSafe(Commit seen, Runnable send, Consumer<StoreException> drop) {
        if (isSafe(seen)) {
            send.run();
            return;
        }
        seen.durable().whenComplete((done, failure) -> {
            if (failure == null) {
                send.run();
            } else {
                drop.accept(reason(failure));
            }
        });
    }

    /**
     * Returns the answer as a future that completes as soon as it is safe; exceptionally with a {@link StoreException} if
     * it can never become safe.
     */
    public <T> CompletableFuture<T> whenSafe(Commit seen, T answer) {
        if (isSafe(seen)) {
            return CompletableFuture.completedFuture(answer);
        }
        CompletableFuture<T> safe = new CompletableFuture<>();
        whenSafe(seen, () -> safe.complete(answer), safe::completeExceptionally);
        return safe;
    }

    /**
     * Waits until the answer may leave.
     *
     * @throws StoreException if it can never become safe; the client must not see the answer
     */
    public void await(Commit seen) {
        if (!isSafe(seen)) {
            seen.awaitDurable();
        }
    }

    private static StoreException reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StoreException known
                ? known
                : new StoreException(StoreError.FAILED, "The commit did not become durable", Map.of(), cause);
    }
}
