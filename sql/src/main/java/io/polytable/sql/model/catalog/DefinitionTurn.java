package io.polytable.sql.model.catalog;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to define. While the definitions of a transaction are not committed, no other session defines
 * anything: a rollback returns to the definitions before it. Used under the catalog's exclusive lock, to which the
 * condition belongs.
 */
final class DefinitionTurn {
    private final Condition free;
    private @Nullable PendingDefinitions holder;
    private @Nullable PendingDefinitions running;

    DefinitionTurn(Condition free) {
        this.free = free;
    }

    /** The transaction whose definition runs now, on the thread that holds the lock. */
    Optional<PendingDefinitions> running() {
        return Optional.ofNullable(running);
    }

    /** Waits for another transaction's turn to end, at most for the time. Returns whether it has ended. */
    boolean await(@Nullable PendingDefinitions own, long nanos) {
        try {
            if (!isMine(own)) {
                long unused = free.awaitNanos(nanos);
            }
            return isMine(own);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
        }
    }

    @SuppressWarnings("ReferenceEquality") // A turn belongs to one transaction, whatever another one defines.
    private boolean isMine(@Nullable PendingDefinitions own) {
        return holder == null || holder == own || running != null;
    }

    /** Waits for another transaction's turn to end, without a limit. */
    void awaitUninterruptibly() {
        while (!isMine(null)) {
            free.awaitUninterruptibly();
        }
    }

    PendingDefinitions take(CatalogState before) {
        PendingDefinitions taken = new PendingDefinitions(before);
        holder = taken;
        return taken;
    }

    <T extends @Nullable Object> T run(PendingDefinitions pending, Supplier<T> change) {
        running = pending;
        try {
            return change.get();
        } finally {
            running = null;
        }
    }

    void end() {
        holder = null;
        free.signalAll();
    }
}
