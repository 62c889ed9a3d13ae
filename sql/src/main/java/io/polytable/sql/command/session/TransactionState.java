package io.polytable.sql.command.session;

import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.SnapshotQuota;
import io.polytable.sql.model.transaction.Transaction;
import io.polytable.sql.syntax.Statement;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Commit;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a session. A statement outside an open transaction runs in one of its own. The statements of one
 * text are a block: they are one transaction, as those of a simple query are in PostgreSQL, which BEGIN turns into an
 * explicit one and COMMIT or ROLLBACK ends before its time.
 */
public final class TransactionState implements AutoCloseable {
    /** How often a statement outside a transaction is tried after write conflicts before the client gets the error. */
    private static final int ATTEMPTS_MAX = 50;

    private static final int SAVEPOINTS_MAX = 100_000;

    private final SqlEngine engine;
    private final Session session;

    /** In order of creation. Of two with the same name, the later hides the earlier until it is released. */
    private final List<Savepoint> savepoints = new ArrayList<>();

    private final Set<SqlTable> used = new HashSet<>();
    private final TransactionDefinitions definitions;

    /** Opened by the first statement that reads or writes rows: before it, no snapshot is held. */
    private @Nullable Transaction open;

    /** The open transaction before its first statement. */
    private Transaction.@Nullable Mark opened;

    private @Nullable Start start;
    private final Set<String> localVariables = new HashSet<>();
    private boolean explicit;
    private boolean block;
    private boolean failed;
    private boolean serializable;
    private boolean readOnly;

    /** The mark is null if the transaction had not read or written before. */
    private record Savepoint(String name, Transaction.@Nullable Mark mark) {}

    /** The beginning of a transaction: its time, and the session's settings, to which a rollback returns. */
    private record Start(Instant at, Session.Chosen settings) {}

    /** What a client may expect of its next statement. */
    public enum Status {
        IDLE,
        IN_TRANSACTION,
        FAILED
    }

    TransactionState(SqlEngine engine, Session session) {
        this.engine = engine;
        this.session = session;
        definitions = new TransactionDefinitions(engine);
    }

    /** Whether BEGIN opened a transaction that has not ended. */
    public boolean isExplicit() {
        return explicit;
    }

    /** Whether statements are part of a transaction with others. */
    public boolean isOpen() {
        return explicit || block;
    }

    Status status() {
        if (!explicit) {
            return Status.IDLE;
        }
        return failed ? Status.FAILED : Status.IN_TRANSACTION;
    }

    /** The time at which the transaction began, if one is open. */
    Optional<Instant> began() {
        return Optional.ofNullable(start).map(Start::at);
    }

    /** After an error a transaction accepts only COMMIT and ROLLBACK. */
    void requireUsable(Statement statement) {
        boolean ends = statement instanceof Statement.Rollback || statement instanceof Statement.Commit;
        if (failed && isOpen() && !ends) {
            throw new SqlError(
                    SqlCode.FAILED_TRANSACTION,
                    "current transaction is aborted, commands ignored until end of transaction block");
        }
    }

    void failed() {
        failed = isOpen();
    }

    /** Begins the statements of one text. */
    void beginBlock() {
        block = true;
        start();
    }

    /** Ends the statements of one text: commits what they did, unless BEGIN opened a transaction that continues. */
    void endBlock(boolean succeeded) {
        block = false;
        if (explicit) {
            failed |= !succeeded;
        } else if (succeeded) {
            boolean unused = commit();
        } else {
            rollback();
        }
    }

    private void start() {
        if (start == null) {
            start = new Start(engine.now(), session.settings());
            serializable = Variables.isSerializable(session);
            readOnly = Variables.isReadOnly(session);
        }
    }

    /** Returns whether it began a transaction: false if one is open already. */
    public boolean begin(Statement.Modes modes) {
        if (explicit) {
            return false;
        }
        start();
        use(modes);
        explicit = true;
        failed = false;
        return true;
    }

    /** Changes the modes of the open transaction. */
    public void use(Statement.Modes modes) {
        boolean wanted = modes.isolation()
                .map(isolation -> isolation == Statement.Isolation.SERIALIZABLE)
                .orElse(serializable);
        if (wanted != serializable) {
            if (!savepoints.isEmpty() || (open != null && open.hasReadOrWritten())) {
                throw new SqlError(
                        SqlCode.ACTIVE_TRANSACTION, "SET TRANSACTION ISOLATION LEVEL must be called before any query");
            }
            closeOpen();
        }
        serializable = wanted;
        readOnly = modes.readOnly().orElse(readOnly);
    }

    boolean isSerializable() {
        return start == null ? Variables.isSerializable(session) : serializable;
    }

    boolean isReadOnly() {
        return start == null ? Variables.isReadOnly(session) : readOnly;
    }

    /** Rejects a write in a read-only transaction. */
    public void requireWritable() {
        if (isReadOnly()) {
            throw new SqlError(SqlCode.READ_ONLY, "cannot write in a read-only transaction");
        }
    }

    /** The variable returns to its value at the end of the transaction. */
    void local(String variable) {
        localVariables.add(variable);
    }

    /** The transaction that statements are part of; null if each has its own. */
    private @Nullable Transaction inside() {
        if (open == null && isOpen()) {
            open = overSnapshot(engine.snapshots().transactions());
            opened = open.mark();
        }
        return open;
    }

    private void closeOpen() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    private Transaction overSnapshot(SnapshotQuota.Share snapshots) {
        return isSerializable()
                ? Transaction.serializable(
                        engine.catalog(), engine.store(), engine.budget(), snapshots, engine.serializable())
                : Transaction.overSnapshot(engine.catalog(), engine.store(), engine.budget(), snapshots);
    }

    /** Commits. Returns false for a failed transaction, which is rolled back instead. */
    public boolean commit() {
        if (failed) {
            rollback();
            return false;
        }
        try {
            if (definitions.isPending()) {
                open = open == null ? Transaction.overStore(engine.store(), engine.budget()) : open;
                definitions.commit(open, used, session.cancellation());
            } else if (open != null && open.hasWrites()) {
                engine.answers().await(commit(open, used));
            }
            Session.Chosen before = start == null ? session.settings() : start.settings();
            localVariables.forEach(name -> session.restore(name, before));
            close(false);
            return true;
        } finally {
            // Rolls back, unless it committed.
            rollback();
        }
    }

    public void rollback() {
        if (start != null) {
            session.restore(start.settings());
        }
        close(false);
    }

    public void savepoint(String name) {
        if (savepoints.size() >= SAVEPOINTS_MAX) {
            throw new SqlError(SqlCode.LIMIT_EXCEEDED, "too many savepoints");
        }
        requireExplicit("SAVEPOINT");
        savepoints.add(new Savepoint(name, open == null ? null : open.mark()));
    }

    public void rollbackTo(String name) {
        requireExplicit("ROLLBACK TO SAVEPOINT");
        int found = requireSavepoint(name);
        Transaction.Mark mark = savepoints.get(found).mark();
        Transaction.Mark back = mark == null ? opened : mark;
        if (open != null && back != null) {
            open.rollBackTo(back);
        }
        savepoints.subList(found + 1, savepoints.size()).clear();
        failed = false;
    }

    public void release(String name) {
        requireExplicit("RELEASE SAVEPOINT");
        int found = requireSavepoint(name);
        savepoints.subList(found, savepoints.size()).clear();
    }

    private int requireSavepoint(String name) {
        for (int i = savepoints.size() - 1; i >= 0; i--) {
            if (savepoints.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new SqlError(SqlCode.UNDEFINED_SAVEPOINT, "savepoint \"" + name + "\" does not exist");
    }

    private void requireExplicit(String what) {
        if (!explicit) {
            throw new SqlError(SqlCode.NO_TRANSACTION, what + " can only be used in transaction blocks");
        }
    }

    // --- definitions -----------------------------------------------------------------------------------------------

    public void define(Runnable change) {
        boolean unused = defined(() -> {
            change.run();
            return true;
        });
    }

    /** Runs a definition under the catalog's exclusive lock, for which it waits up to the statement's time limit. */
    public <T> T defined(Supplier<T> change) {
        requireWritable();
        if (isOpen() && !savepoints.isEmpty()) {
            throw new SqlError(SqlCode.UNSUPPORTED, "a definition cannot follow a savepoint of its transaction");
        }
        return definitions.run(isOpen(), session.cancellation(), change);
    }

    /** Like {@link #defined}, without a limit of time: for the end of a definition whose limit may have passed. */
    public <T> T definedAtLast(Supplier<T> change) {
        return definitions.runAtLast(isOpen(), change);
    }

    /**
     * Prepares the change of a table's definition: rows that the transaction wrote in its format must not be pending.
     * If all pending rows are in tables that the transaction created, they are committed early, since a rollback drops
     * those tables.
     */
    public void settle(SqlTable table) {
        Transaction pending = open;
        if (pending == null
                || pending.written().stream()
                        .noneMatch(written -> written.name().equals(table.name()))) {
            return;
        }
        if (!pending.written().stream().allMatch(this::isCreatedHere)) {
            throw new SqlError(
                    SqlCode.ACTIVE_TRANSACTION,
                    "table " + table.name()
                            + " has uncommitted rows and cannot be redefined inside a transaction block");
        }
        var unused = commit(pending, used);
        closeOpen();
        used.clear();
    }

    /** Whether the open transaction created the table. */
    public boolean isCreatedHere(SqlTable table) {
        return definitions.hasCreated(table);
    }

    /** Whether a definition that takes a new snapshot would change what the transaction reads. */
    public boolean isSnapshotNeeded() {
        return explicit || (open != null && open.hasWrites());
    }

    /** Lets the next statement of a block read the present state. */
    public void forgetSnapshot() {
        if (!isSnapshotNeeded()) {
            closeOpen();
        }
    }

    public void refuseInside(String what) {
        if (isOpen()) {
            throw new SqlError(SqlCode.ACTIVE_TRANSACTION, what + " cannot run inside a transaction block");
        }
    }

    // --- rows ------------------------------------------------------------------------------------------------------

    /** Runs a write to one table, in the open transaction or in one of its own. */
    public <T> T write(SqlTable table, boolean byKey, Function<Transaction, T> body) {
        requireWritable();
        engine.awaitRoom();
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
        Transaction inside = inside();
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

    static SqlError changedMeanwhile(SqlTable table) {
        return new SqlError(
                SqlCode.SERIALIZATION_FAILURE,
                "table " + table.name() + " was changed meanwhile; retry the transaction");
    }

    private <T> T autocommit(SqlTable table, boolean byKey, Function<Transaction, T> body) {
        Commit commit;
        T result;
        try (Transaction transaction = byKey && !isSerializable()
                ? Transaction.overStore(engine.store(), engine.budget())
                : overSnapshot(engine.snapshots().statements())) {
            transaction.requireIndexes(table);
            result = applied(table, transaction, body);
            commit = commit(transaction, Set.of(table));
        }
        engine.answers().await(commit);
        return result;
    }

    /** Commits as soon as everything that the conflict check needs is there, and fetches it without a lock. */
    private Commit commit(Transaction transaction, Set<SqlTable> tables) {
        while (true) {
            Optional<Commit> done = commitUnlessMissing(transaction, tables);
            if (done.isPresent()) {
                return done.get();
            }
            session.cancellation().check();
            transaction.fetch();
        }
    }

    /** Commits under the lock that excludes definitions, after verifying that the tables were not redefined. */
    private Optional<Commit> commitUnlessMissing(Transaction transaction, Set<SqlTable> tables) {
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
            throw tooLarge(failure);
        } finally {
            writing.unlock();
        }
    }

    static RuntimeException tooLarge(RuntimeException failure) {
        return failure instanceof StoreException store && store.error() == StoreError.TOO_LARGE
                ? new SqlError(SqlCode.LIMIT_EXCEEDED, "the transaction writes more than fits into one commit")
                : failure;
    }

    /** The transaction for a read: the open one, or one of its own that closes with the read. */
    public Reading reading(boolean byKey) {
        Transaction inside = inside();
        if (inside != null) {
            return new Reading(inside, () -> {});
        }
        Transaction own = byKey
                ? Transaction.overStore(engine.store(), engine.budget())
                : overSnapshot(engine.snapshots().statements());
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

    /** Ends the transaction, without a commit. A block continues with another one. */
    private void close(boolean forever) {
        try {
            if (open != null) {
                open.close();
            }
        } finally {
            open = null;
            explicit = false;
            failed = false;
            start = null;
            used.clear();
            savepoints.clear();
            localVariables.clear();
            definitions.rollBack();
        }
        if (block && !forever) {
            start();
        }
    }

    @Override
    public void close() {
        close(true);
    }
}
