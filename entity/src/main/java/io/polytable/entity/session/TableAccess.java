package io.polytable.entity.session;

import io.polytable.entity.cell.CellCodecs;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.table.Bytes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Access to one table under its current layout. Thread safe. */
public final class TableAccess {
    private static final int REGISTRATIONS_MAX = 20;
    private static final int STALE_MAX = 5;

    /** A layout and its record as last read. */
    private record Loaded(Bytes record, LayoutColumns columns) {}

    private final String table;
    private final InstanceStore store;
    private final LayoutTable layouts;
    private final LayoutChanges changes;
    private final CellCodecs codecs;
    private volatile @Nullable LayoutState state;
    private volatile @Nullable Loaded loaded;

    public TableAccess(
            String table, InstanceStore store, LayoutTable layouts, SchemaTable schemas, LayoutChanges changes) {
        this.table = table;
        this.store = store;
        this.layouts = layouts;
        this.changes = changes;
        codecs = new CellCodecs(schemas);
    }

    public String table() {
        return table;
    }

    /** The current layout, possibly cached within the lease. */
    public LayoutState current() {
        LayoutBoard board = store.layouts();
        LayoutColumns columns = board.current(table).orElseGet(() -> reloaded(board));
        LayoutState known = state;
        if (known == null || known.columns() != columns) {
            known = new LayoutState(columns, store.table(columns.layout()), codecs);
            state = known;
        }
        return known;
    }

    /** Under the lock: a layout that was read just before a change must not be posted just after it. */
    private LayoutColumns reloaded(LayoutBoard board) {
        Lock lock = board.lock(table).readLock();
        lock.lock();
        try {
            return board.current(table).orElseGet(() -> reload(board));
        } finally {
            lock.unlock();
        }
    }

    private LayoutColumns reload(LayoutBoard board) {
        long atNanos = System.nanoTime();
        Optional<LayoutTable.Stored> found = layouts.find(table);
        if (found.isEmpty()) {
            board.remove(table);
        }
        LayoutTable.Stored stored = found.orElseGet(() -> layouts.get(table));
        Loaded known = loaded;
        // Compares the whole record with its time: a table that was dropped and recreated may have the same layout.
        if (known == null || !known.record().equals(stored.record())) {
            known = new Loaded(
                    stored.record(), new LayoutColumns(stored.version().layout()));
            loaded = known;
        }
        board.post(known.columns(), atNanos);
        return known.columns();
    }

    /**
     * Runs a call under the current layout, which cannot change during the call. If the store refuses the layout as
     * replaced, the call is repeated with the new one.
     */
    public <T> T under(Function<LayoutState, T> call) {
        Lock lock = store.layouts().lock(table).readLock();
        for (int attempt = 1; ; attempt++) {
            LayoutState used;
            EntityException refusal;
            lock.lock();
            try {
                used = current();
                try {
                    return call.apply(used);
                } catch (EntityException e) {
                    refusal = e;
                }
            } finally {
                lock.unlock();
            }
            if (!isReplaced(refusal, used, attempt)) {
                throw refusal;
            }
        }
    }

    /** As {@link #under}, for an asynchronous call. */
    public <T> CompletableFuture<T> underAsync(Function<LayoutState, CompletableFuture<T>> call) {
        return Futures.guarded(() -> attempt(call, 1));
    }

    private <T> CompletableFuture<T> attempt(Function<LayoutState, CompletableFuture<T>> call, int number) {
        LayoutState[] used = new LayoutState[1];
        CompletableFuture<T> answer = under(current -> {
            used[0] = current;
            return call.apply(current);
        });
        return answer.exceptionallyCompose(failure -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (!(cause instanceof EntityException known) || known.error() != EntityError.STALE_LAYOUT) {
                return CompletableFuture.failedFuture(cause);
            }
            // Not on this thread, which may be an event loop: reading the layout blocks.
            return CompletableFuture.supplyAsync(() -> isReplaced(known, used[0], number))
                    .thenCompose(again -> again ? attempt(call, number + 1) : CompletableFuture.failedFuture(known));
        });
    }

    /** Whether the refusal was for a replaced layout, so that a retry makes sense. */
    private boolean isReplaced(EntityException refusal, LayoutState used, int attempt) {
        if (refusal.error() != EntityError.STALE_LAYOUT || attempt >= STALE_MAX) {
            return false;
        }
        store.layouts().withdraw(used.columns());
        return !current().layout().equals(used.layout());
    }

    /** Registers the schema of the value with the column, if needed and allowed. */
    public void register(ColumnName column, Object value) {
        for (int attempt = 0; attempt < REGISTRATIONS_MAX; attempt++) {
            Optional<Schema> missing = current().codec(column).unregistered(value);
            if (missing.isEmpty()) {
                return;
            }
            changes.register(table, column, missing.get());
        }
    }
}
