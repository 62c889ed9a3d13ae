package io.polytable.table;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A place in the store's commit order, and whether everything up to it is kept. */
public interface Commit {
    boolean isDurable();

    /**
     * Completes when everything up to here is durable, exceptionally with a {@link StoreException} when it can no longer
     * become so. Asks the log to make it so: no need to {@link TableStore#flush()} first.
     */
    CompletionStage<Void> durable();

    /**
     * Waits until everything up to here is durable.
     *
     * @throws StoreException when it can no longer become so
     */
    default void awaitDurable() {
        try {
            durable().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException cause ? cause : e;
        }
    }

    Position position();
}
