package io.polytable.sql.command.session;

import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The transaction of a session. A statement outside an open transaction runs in one of its own. */
public final class TransactionState implements AutoCloseable {
    /** How often a statement outside a transaction is tried after write conflicts before the client gets the error. */
    private static final int ATTEMPTS_MAX = 50;

    private static final long ROOM_SECONDS_MAX = 30;
    private static final int SAVEPOINTS_MAX = 100_000;

    private final SqlEngine engine;
    private final Session session;

    /** In order of creation. Of two with the same name, the later hides the earlier until it is released. */
    private final List<Savepoint> savepoints = new ArrayList<>();

    private final Set<SqlTable> used = new HashSet<>();
    private @Nullable Transaction open;
    private boolean failed;

    private record Savepoint(String name, Transaction.Mark mark) {}

    TransactionState(SqlEngine engine, Session session) {
        this.engine = engine;
        this.session = session;
    }

    public boolean isOpen() {
        return open != null;
    }

    /** After an error a transaction accepts only COMMIT and ROLLBACK. */
    void requireUsable(Statement statement) {
        boolean ends = statement instanceof Statement.Rollback || statement instanceof Statement.Commit;
        if (failed && open != null && !ends) {
            throw new SqlError(
                    SqlCode.FAILED_TRANSACTION,
                    "current transaction is aborted, commands ignored until end of transaction block");
        }
    }

    void failed() {
        failed = open != null;
    }

    public void begin() {
        if (open == null) {
            open = Transaction.overSnapshot(engine.catalog(), engine.store(), engine.budget());
            failed = false;
        }
    }

    /** Returns whether it committed: a failed transaction is rolled back instead. */
    public boolean commit() {
        Transaction ending = requireOpen();
        if (failed) {
            rollback();
            return false;
        }
        try {
            commit(ending, used).awaitDurable();
            return true;
        } finally {
            close();
        }
    }

    public void rollback() {
        close();
    }

    public void savepoint(String name) {
        if (savepoints.size() >= SAVEPOINTS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "too many savepoints");
        }
        savepoints.add(new Savepoint(name, requireOpen().mark()));
    }

    public void rollbackTo(String name) {
        Transaction transaction = requireOpen();
        int found = requireSavepoint(name);
        transaction.rollBackTo(savepoints.get(found).mark());
        savepoints.subList(found + 1, savepoints.size()).clear();
        failed = false;
    }

    public void release(String name) {
        int found = requireSavepoint(name);
        savepoints.subList(found, savepoints.size()).clear();
    }

    private int requireSavepoint(String name) {
        requireOpen();
        for (int i = savepoints.size() - 1; i >= 0; i--) {
            if (savepoints.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new SqlError(SqlCode.UNDEFINED_SAVEPOINT, "savepoint \"" + name + "\" does not exist");
    }

    private Transaction requireOpen() {
        if (open == null) {
            throw new SqlError(SqlCode.NO_TRANSACTION, "there is no transaction in progress");
        }
        return open;
    }

    public void define(Runnable change) {
        boolean unused = defined(() -> {
            change.run();
            return true;
        });
    }

    /** Runs a definition under the catalog's exclusive lock, for which it waits up to the statement's time limit. */
    public <T> T defined(Supplier<T> change) {
        Lock defining = engine.catalog().defining();
        session.cancellation().lock(defining);
        try {
            return change.get();
        } finally {
            defining.unlock();
        }
    }

    public void refuseInside(String what) {
        if (open != null) {
            throw new SqlError(SqlCode.UNSUPPORTED, what + " cannot run inside a transaction block");
        }
    }

    /** Runs a write to one table, in the open transaction or in one of its own. */
    public <T> T write(SqlTable table, boolean byKey, Function<Transaction, T> body) {
        awaitRoom();
        if (byKey) {
            return written(table, true, body);
        }
        // Only writes that may take long are registered as running, so that they can be killed.
        long id = engine.queries().add(session.user(), session.text(), session.cancellation());
        try {
            return written(table, false, body);
        } finally {
            engine.queries().remove(id);
        }
    }

    private <T> T written(SqlTable table, boolean byKey, Function<Transaction, T> body) {
        Transaction inside = open;
        if (inside != null) {
            used.add(table);
            inside.requireIndexes(table);
            try {
                return applied(table, inside, body);
            } finally {
                inside.releaseScratch();
            }
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return autocommit(table, byKey, body);
            } catch (SqlError conflict) {
                boolean again = conflict.code() == SqlCode.SERIALIZATION_FAILURE
                        && attempt < ATTEMPTS_MAX
                        && engine.catalog().isCurrent(table);
                if (!again) {
                    throw conflict;
                }
            }
        }
    }

    /** An index that the statement writes may no longer exist: it was dropped, or its creation failed. */
    private <T> T applied(SqlTable table, Transaction transaction, Function<Transaction, T> body) {
        try {
            return body.apply(transaction);
        } catch (StoreException failure) {
            boolean redefined = failure.error() == StoreError.NO_SUCH_TABLE
                    && !engine.catalog().isCurrent(table);
            throw redefined ? changedMeanwhile(table) : failure;
        }
    }

    private static SqlError changedMeanwhile(SqlTable table) {
        return new SqlError(
                SqlCode.SERIALIZATION_FAILURE,
                "table " + table.name() + " was changed meanwhile; retry the transaction");
    }

    private <T> T autocommit(SqlTable table, boolean byKey, Function<Transaction, T> body) {
        Commit commit;
        T result;
        try (Transaction transaction = byKey
                ? Transaction.overStore(engine.store(), engine.budget())
                : Transaction.overSnapshot(engine.catalog(), engine.store(), engine.budget())) {
            transaction.requireIndexes(table);
            result = applied(table, transaction, body);
            commit = commit(transaction, Set.of(table));
        }
        commit.awaitDurable();
        return result;
    }

    /** Commits under the lock that excludes definitions, after verifying that the tables were not redefined. */
    private Commit commit(Transaction transaction, Set<SqlTable> tables) {
        Lock writing = engine.catalog().writing();
        session.cancellation().lock(writing);
        try {
            for (SqlTable table : tables) {
                if (transaction.hasWrites() && !engine.catalog().isCurrent(table)) {
                    throw changedMeanwhile(table);
                }
            }
            return transaction.commit();
        } catch (StoreException failure) {
            throw failure.error() == StoreError.TOO_LARGE
                    ? new SqlError(SqlCode.LIMIT_EXCEEDED, "the transaction writes more than fits into one commit")
                    : failure;
        } finally {
            writing.unlock();
        }
    }

    /** Back-pressure: a writer waits before it begins while the store is behind. */
    private void awaitRoom() {
        if (engine.store().hasRoom()) {
            return;
        }
        CountDownLatch room = new CountDownLatch(1);
        engine.store().whenRoom(room::countDown);
        try {
            if (!room.await(ROOM_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new SqlError(SqlCode.TOO_MANY, "the store is behind with writing; try again");
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new SqlError(SqlCode.UNAVAILABLE, "the server is stopping");
        }
    }

    /** The transaction for a read: the open one, or one of its own that closes with the read. */
    public Reading reading(boolean byKey) {
        Transaction inside = open;
        if (inside != null) {
            return new Reading(inside, () -> {});
        }
        Transaction own = byKey
                ? Transaction.overStore(engine.store(), engine.budget())
                : Transaction.overSnapshot(engine.catalog(), engine.store(), engine.budget());
        return new Reading(own, own);
    }

    /** A transaction to read in, and the resource to close afterwards. */
    public record Reading(Transaction transaction, AutoCloseable closing) implements AutoCloseable {
        @Override
        public void close() {
            try {
                closing.close();
            } catch (RuntimeException failure) {
                throw failure;
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    @Override
    public void close() {
        if (open != null) {
            open.close();
        }
        open = null;
        failed = false;
        used.clear();
        savepoints.clear();
    }
}
