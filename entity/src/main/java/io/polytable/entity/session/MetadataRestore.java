package io.polytable.entity.session;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.meta.MetadataBackup;
import io.polytable.entity.meta.SystemTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.store.InstanceStore;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;

/**
 * Restores the records of a backup. Schemas are restored before the layouts and cells that reference them; a table's
 * current layout comes last, so that an interrupted restore can be repeated.
 */
public final class MetadataRestore {
    private static final String NEXT_SCHEMA = "schema/next";
    private static final String DATA_VERSION = "system/" + SystemTable.DATA_VERSION;
    private static final int SHOWN_MAX = 5;

    private final InstanceStore store;
    private final List<String> done = new ArrayList<>();

    public MetadataRestore(InstanceStore store) {
        this.store = store;
    }

    /** What was done, one line each. */
    public List<String> restore(NavigableMap<String, Bytes> wanted) {
        List<String> conflicts = MetadataBackup.conflicts(store.records(), wanted);
        if (!conflicts.isEmpty()) {
            throw new EntityException(
                    EntityError.LAYOUT_CONFLICT,
                    "The instance has other schemas or layouts than the backup",
                    Map.of(
                            "count",
                            conflicts.size(),
                            "first",
                            conflicts
                                    .subList(0, Math.min(SHOWN_MAX, conflicts.size()))
                                    .toString()));
        }
        Bytes version = wanted.get(DATA_VERSION);
        if (version != null && !version.equals(Bytes.utf8(SystemTable.CURRENT_DATA_VERSION))) {
            throw new EntityException(
                    EntityError.BAD_REQUEST, "The backup is of another version", Map.of("found", version.utf8()));
        }
        NavigableMap<String, Bytes> tables = new TreeMap<>(wanted);
        tables.keySet().removeIf(key -> !key.startsWith(LayoutTable.CURRENT));
        tables.values().forEach(record -> store.check(LayoutTable.read(record).layout()));
        // First of all: a number that is drawn meanwhile must not be one of those that are restored.
        Bytes next = wanted.get(NEXT_SCHEMA);
        if (next != null) {
            raiseNextSchema(Long.parseLong(next.utf8()));
        }
        NavigableMap<String, Bytes> others = new TreeMap<>(wanted);
        others.keySet().removeAll(tables.keySet());
        others.remove(NEXT_SCHEMA);
        others.forEach(store.records()::put);
        done.add("restored " + others.size() + " records");
        tables.forEach(this::table);
        // Last: if the store refuses a permission, the tables are restored already.
        new Permissions(store)
                .restored(others.keySet().stream()
                        .filter(key -> key.startsWith(Permissions.PREFIX))
                        .toList());
        return List.copyOf(done);
    }

    private void raiseNextSchema(long next) {
        while (true) {
            Optional<Bytes> present = store.records().get(NEXT_SCHEMA);
            boolean isEnough =
                    present.map(text -> Long.parseLong(text.utf8()) >= next).orElse(false);
            if (isEnough || store.records().replace(NEXT_SCHEMA, present, Bytes.utf8(String.valueOf(next)))) {
                return;
            }
        }
    }

    private void table(String key, Bytes record) {
        TableLayout layout = LayoutTable.read(record).layout();
        Lock lock = store.layouts().lock(layout.name()).writeLock();
        lock.lock();
        try {
            store.prepare(layout);
            boolean isNew = store.records().replace(key, Optional.empty(), record);
            if (!isNew && !store.records().get(key).equals(Optional.of(record))) {
                throw new EntityException(
                        EntityError.LAYOUT_CONFLICT, "The table was changed meanwhile", Map.of("table", layout.name()));
            }
            done.add((isNew ? "restored table " : "table was there: ") + layout.name());
        } finally {
            lock.unlock();
        }
    }
}
