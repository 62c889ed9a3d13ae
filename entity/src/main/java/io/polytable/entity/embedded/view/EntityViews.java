package io.polytable.entity.embedded.view;

import io.polytable.cells.store.CellStore;
import io.polytable.entity.embedded.CellsEntityStore;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.entity.store.StoreRecords;
import io.polytable.frontend.view.View;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The views of all entity tables in a cell store, under their current layouts. Thread safe. */
public final class EntityViews {
    private final CellStore cells;
    private final CellsEntityStore entities;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** The views of a table, valid as long as its layout's record does not change. */
    private record Known(Bytes record, List<View> views) {}

    public EntityViews(CellStore cells) {
        this.cells = cells;
        entities = new CellsEntityStore(cells, () -> {});
    }

    /** The views of all cell tables, with those of entities replaced by entity views. */
    public List<View> all() {
        Map<TableName, View> byName = new HashMap<>();
        Set<String> current = new HashSet<>();
        for (String instance : entities.instances()) {
            StoreRecords records = entities.instance(instance).records();
            NavigableMap<String, Bytes> layouts = records.withPrefix(LayoutTable.CURRENT);
            SchemaTable schemas = new SchemaTable(records);
            layouts.forEach((key, record) -> {
                String id = instance + "/" + key;
                current.add(id);
                Known views = known.compute(
                        id,
                        (name, old) -> old != null && old.record.equals(record)
                                ? old
                                : new Known(record, views(instance, record, schemas)));
                views.views.forEach(view -> byName.put(view.name(), view));
            });
        }
        known.keySet().retainAll(current);
        List<View> all = new ArrayList<>();
        for (View plain : cells.views()) {
            all.add(byName.getOrDefault(plain.name(), plain));
        }
        return all;
    }

    private List<View> views(String instance, Bytes record, SchemaTable schemas) {
        ShownTable table = new ShownTable(
                cells,
                CellsEntityStore.namespace(instance),
                LayoutTable.read(record).layout(),
                schemas,
                new Permissions(entities.instance(instance)));
        return List.of(new EntityRowsView(table), new EntityCellsView(table));
    }
}
