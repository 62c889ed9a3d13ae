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
import java.util.concurrent.locks.Lock;

/**
 * Brings back the records of a backup. Schemas come before the layouts and cells that name them; a table's current layout
 * comes last of all, so that a restoration that was cut short can be repeated.
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
        int others = 0;
        for (Map.Entry<String, Bytes> record : wanted.entrySet()) {
            if (record.getKey().equals(NEXT_SCHEMA)) {
                raiseNextSchema(Long.parseLong(record.getValue().utf8()));
            } else if (!record.getKey().startsWith(LayoutTable.CURRENT)) {
                store.records().put(record.getKey(), record.getValue());
                others++;
            }
        }
        done.add("restored " + others + " records");
        wanted.forEach((key, record) -> {
            if (key.startsWith(LayoutTable.CURRENT)) {
                table(key, record);
            }
        });
        if (wanted.keySet().stream().anyMatch(key -> key.startsWith("grant/i/"))) {
            new Permissions(store).reapply(Optional.empty());
        }
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
            new Permissions(store).reapply(Optional.of(layout.name()));
            done.add((isNew ? "restored table " : "table was there: ") + layout.name());
        } finally {
            lock.unlock();
        }
    }
}
