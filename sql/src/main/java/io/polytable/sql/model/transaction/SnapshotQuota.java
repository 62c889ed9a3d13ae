package io.polytable.sql.model.transaction;

import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Limits;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The snapshots of the store that SQL may hold. Clients decide how long a transaction stays open, so open transactions
 * have a share of their own: however many there are, single statements, other protocols and background work (flushes,
 * feeds, checks) still get their snapshots.
 */
public final class SnapshotQuota {
    /** The most transactions that have read or written and not ended. */
    public static final int TRANSACTIONS_MAX = Limits.SNAPSHOTS_MAX / 4;

    /** The most concurrent statements outside such transactions. */
    public static final int STATEMENTS_MAX = Limits.SNAPSHOTS_MAX / 4;

    private final TableStore store;
    private final Share transactions = new Share(TRANSACTIONS_MAX, "too many open transactions");
    private final Share statements = new Share(STATEMENTS_MAX, "too many concurrent queries");

    public SnapshotQuota(TableStore store) {
        this.store = store;
    }

    /** The share of transactions that span statements. */
    public Share transactions() {
        return transactions;
    }

    /** The share of statements outside such transactions. */
    public Share statements() {
        return statements;
    }

    /** A number of snapshots. */
    public final class Share {
        private final int most;
        private final String refusal;
        private final AtomicInteger open = new AtomicInteger();

        private Share(int most, String refusal) {
            this.most = most;
            this.refusal = refusal;
        }

        /**
         * Opens a snapshot.
         *
         * @throws SqlError {@link SqlCode#TOO_MANY} if the share, or the store, has no more
         */
        Lease open() {
            if (open.incrementAndGet() > most) {
                open.decrementAndGet();
                throw new SqlError(SqlCode.TOO_MANY, refusal + "; the limit is " + most);
            }
            boolean opened = false;
            try {
                Lease lease = new Lease(store.snapshot(), open);
                opened = true;
                return lease;
            } catch (StoreException failure) {
                throw failure.error() == StoreError.TOO_MANY ? new SqlError(SqlCode.TOO_MANY, refusal) : failure;
            } finally {
                if (!opened) {
                    open.decrementAndGet();
                }
            }
        }
    }

    /** A snapshot that is part of a share until it is closed. */
    static final class Lease implements AutoCloseable {
        private final Snapshot snapshot;
        private final AtomicInteger open;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease(Snapshot snapshot, AtomicInteger open) {
            this.snapshot = snapshot;
            this.open = open;
        }

        Snapshot snapshot() {
            return snapshot;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                try {
                    snapshot.close();
                } finally {
                    open.decrementAndGet();
                }
            }
        }
    }
}
