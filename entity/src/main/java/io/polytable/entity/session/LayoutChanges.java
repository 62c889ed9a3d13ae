package io.polytable.entity.session;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.LayoutDifference;
import io.polytable.entity.layout.LayoutUpdate;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.meta.Notes;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.InstanceStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;

/**
 * Creates, changes and drops tables. A change creates what the new layout needs, makes the layout current by
 * compare-and-set, waits until no other process can still use the old one, and then drops retired parts. A crash at any
 * point leaves a working table, at most with surplus parts that the next change drops. A failed change leaves the store
 * as the current layout requires.
 */
public final class LayoutChanges {
    /** The effect of a change or, as a dry run, its expected effect. */
    public record Outcome(TableLayout before, TableLayout after, List<String> difference) {}

    private static final int SETTLING_MAX = 10;

    private final InstanceStore store;
    private final LayoutTable layouts;

    public LayoutChanges(InstanceStore store, LayoutTable layouts) {
        this.store = store;
        this.layouts = layouts;
    }

    public TableLayout create(TableLayout wanted) {
        TableLayout layout = LayoutUpdate.create(wanted);
        Lock lock = store.layouts().lock(layout.name()).writeLock();
        lock.lock();
        try {
            if (layouts.find(layout.name()).isPresent()) {
                throw exists(layout.name());
            }
            if (layouts.dropping(layout.name()).isPresent()) {
                throw new EntityException(
                        EntityError.TABLE_EXISTS,
                        "A table of this name is being dropped: if that was cut short, drop it again",
                        Map.of("table", layout.name()));
            }
            store.check(layout);
            install(Optional.empty(), layout, exists(layout.name()));
            return layout;
        } finally {
            lock.unlock();
        }
    }

    private static EntityException exists(String table) {
        return new EntityException(
                EntityError.TABLE_EXISTS, "The instance has a table of this name", Map.of("table", table));
    }

    public Outcome update(TableLayout wanted, boolean dryRun) {
        Lock lock = store.layouts().lock(wanted.name()).writeLock();
        Outcome outcome;
        lock.lock();
        try {
            LayoutTable.Stored present = layouts.get(wanted.name());
            TableLayout before = present.version().layout();
            TableLayout after = LayoutUpdate.apply(before, wanted);
            outcome = new Outcome(before, after, LayoutDifference.between(before, after));
            store.check(after);
            if (dryRun) {
                return outcome;
            }
            install(
                    Optional.of(present),
                    after,
                    new EntityException(
                            EntityError.LAYOUT_CONFLICT,
                            "Another update came first",
                            Map.of("table", wanted.name(), "reference", before.layoutId())));
        } finally {
            lock.unlock();
        }
        awaitLease();
        lock.lock();
        try {
            // Another process, whose update lost, may have prepared the store for its layout meanwhile.
            settle(wanted.name());
            store.trim(outcome.after());
        } finally {
            lock.unlock();
        }
        return outcome;
    }

    /** Makes the layout current if the present one still is. */
    private void install(Optional<LayoutTable.Stored> present, TableLayout layout, EntityException refusal) {
        try {
            store.prepare(layout);
            // The lease counts from before the layout became current: it may be replaced at once.
            long atNanos = System.nanoTime();
            if (!layouts.replace(present, layout)) {
                throw refusal;
            }
            store.layouts().post(new LayoutColumns(layout), atNanos);
        } catch (RuntimeException e) {
            restore(layout.name(), e);
            throw e;
        }
    }

    private void restore(String table, RuntimeException failure) {
        try {
            // After a failure with an unknown outcome the next call reads the layout again.
            store.layouts().remove(table);
            settle(table);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Prepares the store for the current layout, also if another process replaces that meanwhile. */
    private void settle(String table) {
        Optional<LayoutTable.Stored> standing = layouts.find(table);
        for (int i = 0; i < SETTLING_MAX && standing.isPresent(); i++) {
            store.prepare(standing.get().version().layout());
            Optional<LayoutTable.Stored> now = layouts.find(table);
            if (now.equals(standing)) {
                return;
            }
            standing = now;
        }
    }

    private void awaitLease() {
        Duration lease = store.layouts().lease();
        if (lease.isZero()) {
            return;
        }
        try {
            // Clocks of different machines run at slightly different speeds.
            Thread.sleep(lease.toMillis() + lease.toMillis() / 10 + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EntityException(
                    EntityError.STALE_LAYOUT, "Interrupted while other processes take the new layout", Map.of(), e);
        }
    }

    /**
     * Drops a table, or finishes an interrupted drop. Its record is removed last; until then its name cannot be reused.
     */
    public void drop(String table) {
        Lock lock = store.layouts().lock(table).writeLock();
        lock.lock();
        try {
            beginDrop(table);
        } finally {
            lock.unlock();
        }
        // Until then another process may write under the layout, which must not happen after the cells are dropped.
        awaitLease();
        lock.lock();
        try {
            layouts.dropping(table).ifPresent(last -> {
                new Notes(store.records(), table).removeAll();
                layouts.removeHistory(table);
                store.drop(last.version().layout());
                store.forget(table);
            });
        } finally {
            lock.unlock();
        }
    }

    private void beginDrop(String table) {
        for (int i = 0; i < SETTLING_MAX; i++) {
            if (layouts.dropping(table).isPresent() || layouts.beginDrop(table, layouts.get(table))) {
                store.layouts().remove(table);
                return;
            }
        }
        throw new EntityException(
                EntityError.LAYOUT_CONFLICT, "Too many updates at the same time", Map.of("table", table));
    }

    /** Registers a schema of a column for reading and writing; what is registered already stays so. */
    void register(String table, ColumnName column, Schema schema) {
        TableLayout current = reposted(table);
        LayoutColumns.Family family = new LayoutColumns(current).family(column.family());
        CellSchema present = family.schema(column.column()).orElseThrow(() -> absent(column));
        if (present.writers().contains(schema)) {
            return;
        }
        CellSchema wider = present.withRegistered(schema);
        if (wider.defaultReader().isEmpty()) {
            wider = wider.withDefaultReader(schema);
        }
        CellSchema wanted = wider;
        try {
            update(withSchema(current.toUpdate(), family.layout().name(), column, old -> wanted), false);
        } catch (EntityException e) {
            if (e.error() != EntityError.LAYOUT_CONFLICT) {
                throw e;
            }
            // Another process was faster; the caller reads again.
        }
    }

    /** Installs the stored layout in this process. */
    private TableLayout reposted(String table) {
        Lock lock = store.layouts().lock(table).readLock();
        lock.lock();
        try {
            long atNanos = System.nanoTime();
            TableLayout current = layouts.get(table).version().layout();
            store.layouts().post(new LayoutColumns(current), atNanos);
            return current;
        } finally {
            lock.unlock();
        }
    }

    private static EntityException absent(ColumnName column) {
        return new EntityException(
                EntityError.NO_SUCH_COLUMN, "The table has no such column", Map.of("column", column.toString()));
    }

    private static TableLayout withSchema(
            TableLayout layout, String family, ColumnName column, UnaryOperator<CellSchema> change) {
        List<LocalityGroup> groups = layout.groups().stream()
                .map(group -> group.withFamilies(group.families().stream()
                        .map(part -> part.name().equals(family) ? withSchema(part, column, change) : part)
                        .toList()))
                .toList();
        return layout.withGroups(groups);
    }

    private static FamilyLayout withSchema(FamilyLayout family, ColumnName column, UnaryOperator<CellSchema> change) {
        if (family.mapSchema().isPresent()) {
            return family.withMapSchema(change.apply(family.mapSchema().get()));
        }
        List<ColumnLayout> columns = family.columns().stream()
                .map(part ->
                        part.name().equals(column.column()) || part.aliases().contains(column.column())
                                ? part.withSchema(change.apply(part.schema()))
                                : part)
                .toList();
        return family.withColumns(columns);
    }
}
