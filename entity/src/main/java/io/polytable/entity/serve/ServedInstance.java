package io.polytable.entity.serve;

import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.entity.session.LayoutChanges;
import io.polytable.entity.session.LayoutState;
import io.polytable.entity.session.TableAccess;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.wire.LayoutFingerprint;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An instance whose layouts are changed and used by remote programs. A call holds the table's read lock, a layout
 * change takes the write lock: so no call runs under a replaced layout.
 */
final class ServedInstance {
    /** A table, and the fingerprint of the layout it was last used under. */
    private static final class ServedTable {
        private final TableAccess access;
        private volatile @Nullable Printed last;

        ServedTable(TableAccess access) {
            this.access = access;
        }

        String print(LayoutState state) {
            Printed known = last;
            if (known == null || known.columns() != state.columns()) {
                known = new Printed(state.columns(), LayoutFingerprint.of(state.layout()));
                last = known;
            }
            return known.print();
        }
    }

    private record Printed(LayoutColumns columns, String print) {}

    private final InstanceStore store;
    private final LayoutTable layouts;
    private final SchemaTable schemas;
    private final LayoutChanges changes;
    private final Map<String, ServedTable> tables = new ConcurrentHashMap<>();

    ServedInstance(InstanceStore store) {
        this.store = store;
        layouts = new LayoutTable(store.records(), InstantSource.system());
        schemas = new SchemaTable(store.records());
        changes = new LayoutChanges(store, layouts);
    }

    InstanceStore store() {
        return store;
    }

    /**
     * Runs a call on the table's cells if the layout with this fingerprint is current.
     *
     * @param goesOn whether this is a further page of a read that started under the layout: then an earlier one is
     *     accepted too, since ids are never reused
     */
    <T> T under(String table, String print, boolean goesOn, Function<StoredTable, T> call) {
        ServedTable served = tables.get(table);
        if (served == null) {
            // Existing tables only: invented names must not accumulate here.
            layouts.get(table);
            served = tables.computeIfAbsent(
                    table, name -> new ServedTable(new TableAccess(name, store, layouts, schemas, changes)));
        }
        ServedTable known = served;
        try {
            return known.access.under(state -> {
                if (!known.print(state).equals(print) && !(goesOn && isEarlier(table, print))) {
                    throw new EntityException(
                            EntityError.STALE_LAYOUT, "The layout was replaced", Map.of("table", table));
                }
                return call.apply(state.stored());
            });
        } catch (EntityException e) {
            if (e.error() == EntityError.NO_SUCH_TABLE) {
                tables.remove(table);
            }
            throw e;
        }
    }

    private boolean isEarlier(String table, String print) {
        return layouts.history(table, Integer.MAX_VALUE).stream()
                .anyMatch(version -> LayoutFingerprint.of(version.layout()).equals(print));
    }

    /** Changes a record; a table's layout only while no call runs under the old one. */
    <T> T changing(String recordKey, Supplier<T> change) {
        Optional<String> table = LayoutTable.tableOf(recordKey);
        return table.isPresent()
                ? alone(table.get(), () -> {
                    try {
                        return change.get();
                    } finally {
                        // Also after a failure with an unknown outcome: the next call reads the layout again.
                        store.layouts().remove(table.get());
                    }
                })
                : change.get();
    }

    /** Changes the parts that a layout needs. */
    void defining(TableLayout layout, Runnable change) {
        alone(layout.name(), () -> {
            change.run();
            return layout;
        });
    }

    private <T> T alone(String table, Supplier<T> call) {
        Lock lock = store.layouts().lock(table).writeLock();
        lock.lock();
        try {
            return call.get();
        } finally {
            lock.unlock();
        }
    }
}
