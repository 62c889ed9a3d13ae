package io.polytable.table;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A position in the commit order, and whether everything up to it is durable. */
public interface Commit {
    boolean isDurable();

    /**
     * Completes when everything up to this commit is durable, exceptionally with a {@link StoreException} when that has
     * become impossible. It triggers the write itself: no {@link TableStore#flush()} is needed before.
     */
    CompletionStage<Void> durable();

    /**
     * Waits until everything up to this commit is durable.
     *
     * @throws StoreException when that has become impossible
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
