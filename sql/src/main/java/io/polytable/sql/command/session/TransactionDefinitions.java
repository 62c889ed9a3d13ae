package io.polytable.sql.command.session;

import io.polytable.sql.model.catalog.Catalog;
import io.polytable.sql.model.catalog.PendingDefinitions;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.query.Cancellation;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The definitions of a session's transaction. They are committed together with its rows, or not at all. */
final class TransactionDefinitions {
    /** How often a wait for another transaction's definitions checks for cancellation. */
    private static final long TURN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Catalog catalog;
    private @Nullable PendingDefinitions pending;

    TransactionDefinitions(SqlEngine engine) {
        catalog = engine.catalog();
    }

    boolean isPending() {
        return pending != null;
    }

    boolean hasCreated(SqlTable table) {
        return pending != null && pending.hasCreated(table.table());
    }

    /**
     * Runs a definition under the catalog's exclusive lock.
     *
     * @param inside whether it is part of a transaction
     */
    <T> T run(boolean inside, Cancellation cancellation, Supplier<T> change) {
        Lock defining = catalog.defining();
        cancellation.lock(defining);
        try {
            while (!catalog.awaitTurn(pending, TURN_LOOK_NANOS)) {
                if (cancellation.left().isZero()) {
                    cancellation.timeOut();
                }
                cancellation.check();
            }
            return inTurn(inside, change);
        } finally {
            defining.unlock();
        }
    }

    /** Waits without a limit: another transaction's definitions end with its session at the latest. */
    <T> T runAtLast(boolean inside, Supplier<T> change) {
        Lock defining = catalog.defining();
        defining.lock();
        try {
            boolean turn = false;
            while (!turn) {
                turn = catalog.awaitTurn(pending, TURN_LOOK_NANOS);
            }
            return inTurn(inside, change);
        } finally {
            defining.unlock();
        }
    }

    private <T> T inTurn(boolean inside, Supplier<T> change) {
        if (!inside) {
            return change.get();
        }
        if (pending == null) {
            pending = catalog.begin();
        }
        return catalog.within(pending, change);
    }

    /**
     * Commits the definitions with the transaction's rows.
     *
     * @param used the tables that it wrote to
     */
    void commit(Transaction rows, Set<SqlTable> used, Cancellation cancellation) {
        while (!commitUnlessMissing(rows, used, cancellation)) {
            rows.fetch();
        }
    }

    private boolean commitUnlessMissing(Transaction rows, Set<SqlTable> used, Cancellation cancellation) {
        Lock defining = catalog.defining();
        cancellation.lock(defining);
        try {
            for (SqlTable table : used) {
                if (!catalog.isCurrent(table)) {
                    throw TransactionState.changedMeanwhile(table);
                }
            }
            if (pending != null) {
                if (!catalog.commit(pending, rows::commit)) {
                    return false;
                }
                pending = null;
            }
            return true;
        } catch (RuntimeException failure) {
            // Under the same lock: nobody may take a table for dropped that a rollback restores.
            rollBack();
            throw TransactionState.tooLarge(failure);
        } finally {
            defining.unlock();
        }
    }

    void rollBack() {
        PendingDefinitions undone = pending;
        pending = null;
        if (undone != null) {
            catalog.rollBack(undone);
        }
    }
}
