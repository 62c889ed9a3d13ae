package io.polytable.entity;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.layout.LayoutJson;
import io.polytable.entity.layout.SchemaStorage;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.meta.MetadataBackup;
import io.polytable.entity.meta.SystemTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.entity.session.LayoutChanges;
import io.polytable.entity.session.MetadataRestore;
import io.polytable.entity.session.TableAccess;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.StoreCapability;
import io.polytable.entity.uri.EntityUri;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A namespace of tables, with its layouts, schemas and properties. Thread safe; close it. */
public final class Instance implements AutoCloseable {
    private final EntityUri uri;
    private final EntityStore store;
    private final InstanceStore instance;
    private final LayoutTable layouts;
    private final SchemaTable schemas;
    private final SystemTable system;
    private final LayoutChanges changes;
    private final Permissions permissions;
    private final Map<String, EntityTable> tables = new ConcurrentHashMap<>();

    private Instance(EntityUri uri, EntityStore store) {
        this.uri = uri.ofInstance();
        this.store = store;
        instance = store.instance(uri.instanceName());
        layouts = new LayoutTable(instance.records(), InstantSource.system());
        schemas = new SchemaTable(instance.records());
        system = new SystemTable(instance.records());
        changes = new LayoutChanges(instance, layouts);
        permissions = new Permissions(instance);
    }

    /** An instance of a store, which it closes when it is closed. */
    public static Instance open(EntityUri uri, EntityStore store) {
        Instance opened = new Instance(uri, store);
        String version = opened.system.get(SystemTable.DATA_VERSION).orElse("none");
        if (!version.equals(SystemTable.CURRENT_DATA_VERSION)) {
            throw new EntityException(
                    EntityError.STORE_FAILED,
                    "The instance is half installed, or of a version that this code does not know",
                    Map.of("found", version, "known", SystemTable.CURRENT_DATA_VERSION));
        }
        return opened;
    }

    public EntityUri uri() {
        return uri;
    }

    public Set<StoreCapability> capabilities() {
        return store.capabilities();
    }

    public List<String> tables() {
        return layouts.tables();
    }

    public EntityTable createTable(TableLayout layout) {
        registerWriters(changes.create(layout));
        return table(layout.name());
    }

    /** The table, or {@link EntityError#NO_SUCH_TABLE}. */
    public EntityTable table(String name) {
        layouts.get(name);
        return tables.computeIfAbsent(
                name,
                table -> new EntityTable(
                        this, new TableAccess(table, instance, layouts, schemas, changes), instance.records()));
    }

    /** Drops the table with all its cells. */
    public void dropTable(String name) {
        changes.drop(name);
        tables.remove(name);
    }

    /**
     * Updates the table's layout. The update names the layout it is based on; see {@link TableLayout#toUpdate}.
     *
     * @return the differences
     */
    public LayoutChanges.Outcome updateLayout(TableLayout wanted) {
        LayoutChanges.Outcome outcome = changes.update(wanted, false);
        registerWriters(outcome.after());
        return outcome;
    }

    /**
     * Schemas are registered here and not with the first value: a user who may write cells need not be allowed to
     * register schemas.
     */
    private void registerWriters(TableLayout layout) {
        for (LayoutColumns.Family family : new LayoutColumns(layout).families()) {
            List<CellSchema> cells = new ArrayList<>();
            family.layout().mapSchema().ifPresent(cells::add);
            family.layout().columns().forEach(column -> cells.add(column.schema()));
            cells.stream()
                    .filter(schema -> schema.storage() != SchemaStorage.FINAL)
                    .forEach(schema -> schema.writers().forEach(schemas::register));
        }
    }

    /** A dry run: the differences an update would make, or the error it would fail with. */
    public LayoutChanges.Outcome tryLayout(TableLayout wanted) {
        return changes.update(wanted, true);
    }

    /** Parses a layout from JSON, in which schemas may be referenced by their number in this instance. */
    public TableLayout parseLayout(String json) {
        return LayoutJson.parse(json, id -> schemas.findById(id).map(SchemaTable.Entry::schema));
    }

    public LayoutTable layouts() {
        return layouts;
    }

    public SchemaTable schemas() {
        return schemas;
    }

    public SystemTable system() {
        return system;
    }

    public Permissions permissions() {
        return permissions;
    }

    /** The instance's metadata as a text for {@link #restore}. */
    public String backup(Set<MetadataBackup.Part> parts) {
        return MetadataBackup.write(instance.records(), parts);
    }

    /**
     * Restores parts of a backup: schemas under their numbers, layouts with their ids, properties, notes and
     * permissions. Existing records that differ are refused before anything is written.
     *
     * @return what was done, one line each
     */
    public List<String> restore(String backup, Set<MetadataBackup.Part> parts) {
        return new MetadataRestore(instance).restore(MetadataBackup.read(backup, parts));
    }

    @Override
    public void close() {
        store.close();
    }
}
