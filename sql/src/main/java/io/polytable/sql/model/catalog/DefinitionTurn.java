package io.polytable.sql.model.catalog;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Table;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to define, and so when a definition is written: at once, or with its transaction. While the definitions of a transaction are not committed, no other session defines
 * anything: a rollback returns to the definitions before it. Used under the catalog's exclusive lock, to which the
 * condition belongs.
 */
final class DefinitionTurn {
    private final TableStore store;
    private final Condition free;
    private @Nullable PendingDefinitions holder;
    private @Nullable PendingDefinitions running;

    DefinitionTurn(TableStore store, Condition free) {
        this.store = store;
        this.free = free;
    }

    /** The transaction whose definition runs now, on the thread that holds the lock. */
    Optional<PendingDefinitions> running() {
        return Optional.ofNullable(running);
    }

    /** Waits for another transaction's turn to end, at most for the time. Returns whether it has ended. */
    boolean await(@Nullable PendingDefinitions own, long nanos) {
        try {
            long left = nanos;
            while (!isMine(own) && left > 0) {
                left = free.awaitNanos(left);
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

    /** Commits the definition, or adds it to the transaction that it is part of. */
    void commit(Consumer<Batch> writing) {
        running().ifPresentOrElse(pending -> pending.add(writing), () -> commitNow(writing));
    }

    void commitNow(Consumer<Batch> writing) {
        Batch batch = new Batch();
        writing.accept(batch);
        AnswerGate.settle(store.commit(batch));
    }

    /** Runs the action once the definition is committed: at once, if it is not part of a transaction. */
    void afterCommit(Runnable action) {
        running().ifPresentOrElse(pending -> pending.afterCommit(action), action);
    }

    /** Registers a table of the store that a rollback drops. */
    void created(Table table) {
        running().ifPresent(pending -> {
            pending.created(table);
            pending.undo(() -> dropIfThere(table.name()));
        });
    }

    /** An index that failed has dropped its table itself. */
    private void dropIfThere(TableName name) {
        if (store.find(name).isPresent()) {
            store.drop(name);
        }
    }

    void end() {
        holder = null;
        free.signalAll();
    }
}
