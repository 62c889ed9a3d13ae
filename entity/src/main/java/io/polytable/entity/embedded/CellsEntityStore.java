package io.polytable.entity.embedded;

import io.polytable.cells.store.CellRecords;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Names;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.StoreCapability;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Instances in a cell store, which it does not own. An instance exists if its record exists. */
public final class CellsEntityStore implements EntityStore {
    private static final String INSTANCE = "entity/instance/";
    private static final String RECORDS = "entity/record/";
    private static final String NAMESPACE = "entity_";
    private static final Bytes PRESENT = Bytes.utf8("1");

    private final CellStore cells;
    private final Runnable closing;
    private final Map<String, CellsInstance> open = new ConcurrentHashMap<>();

    /** @param closing called when this is closed */
    public CellsEntityStore(CellStore cells, Runnable closing) {
        this.cells = cells;
        this.closing = closing;
    }

    /** The namespace of an instance's cell tables. */
    public static String namespace(String instance) {
        return NAMESPACE + instance;
    }

    @Override
    public Set<StoreCapability> capabilities() {
        return EnumSet.of(
                StoreCapability.ORDERED_SCANS,
                StoreCapability.SNAPSHOT_SCANS,
                StoreCapability.ATOMIC_ROWS,
                StoreCapability.DELETES_MASK_LATER_PUTS);
    }

    @Override
    public List<String> instances() {
        return Failures.translated(() -> cells.records().withPrefix(Bytes.utf8(INSTANCE)).keySet().stream()
                .map(key -> key.utf8().substring(INSTANCE.length()))
                .toList());
    }

    @Override
    public void createInstance(String name, Map<String, String> properties) {
        Names.instance(name);
        boolean created = Failures.translated(
                () -> cells.records().replace(Bytes.utf8(INSTANCE + name), Optional.empty(), PRESENT));
        if (!created) {
            throw new EntityException(
                    EntityError.INSTANCE_EXISTS, "There is an instance of this name", Map.of("instance", name));
        }
    }

    @Override
    public void dropInstance(String name) {
        instance(name);
        Failures.translated(() -> {
            open.remove(name);
            for (CellTable table : cells.tables()) {
                TableName full = table.name();
                if (full.namespace().equals(namespace(name))) {
                    cells.drop(full);
                }
            }
            CellRecords records = cells.records();
            records.withPrefix(Bytes.utf8(prefix(name))).keySet().forEach(records::remove);
            // Last: a crash before this leaves an instance that can be dropped again.
            records.remove(Bytes.utf8(INSTANCE + name));
            return name;
        });
    }

    @Override
    public InstanceStore instance(String name) {
        Names.instance(name);
        boolean isThere = Failures.translated(
                () -> cells.records().get(Bytes.utf8(INSTANCE + name)).isPresent());
        if (!isThere) {
            throw new EntityException(
                    EntityError.NO_SUCH_INSTANCE, "There is no instance of this name", Map.of("instance", name));
        }
        return open.computeIfAbsent(
                name,
                key -> new CellsInstance(cells, namespace(key), new InstanceRecords(cells.records(), prefix(key))));
    }

    private static String prefix(String instance) {
        return RECORDS + instance + "/";
    }

    @Override
    public void close() {
        closing.run();
    }
}
