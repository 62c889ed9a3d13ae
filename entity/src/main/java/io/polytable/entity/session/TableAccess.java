package io.polytable.entity.session;

import io.polytable.entity.cell.CellCodecs;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** One table, always under its current layout. Safe for use by many threads. */
public final class TableAccess {
    private static final int REGISTRATIONS_MAX = 20;

    private final String table;
    private final InstanceStore store;
    private final LayoutTable layouts;
    private final LayoutChanges changes;
    private final CellCodecs codecs;
    private volatile @Nullable LayoutState state;

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

    /** The current layout: of this moment, or read within the lease. */
    public LayoutState current() {
        LayoutBoard board = store.layouts();
        LayoutColumns columns = board.current(table).orElseGet(() -> reload(board));
        LayoutState known = state;
        if (known == null || known.columns() != columns) {
            known = new LayoutState(columns, store.table(columns.layout()), codecs);
            state = known;
        }
        return known;
    }

    private LayoutColumns reload(LayoutBoard board) {
        long atNanos = System.nanoTime();
        Optional<LayoutTable.Stored> found = layouts.find(table);
        if (found.isEmpty()) {
            board.remove(table);
        }
        LayoutState known = state;
        var layout = found.orElseGet(() -> layouts.get(table)).version().layout();
        boolean isSame = known != null && known.layout().equals(layout);
        LayoutColumns columns = isSame && known != null ? known.columns() : new LayoutColumns(layout);
        board.post(columns, atNanos);
        return columns;
    }

    /** Calls with the current layout, which stays the current one during the call. */
    public <T> T under(Function<LayoutState, T> call) {
        Lock lock = store.layouts().lock(table).readLock();
        lock.lock();
        try {
            return call.apply(current());
        } finally {
            lock.unlock();
        }
    }

    /** Sees that the column knows the schema which the value will be written with, where writing may register it. */
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
