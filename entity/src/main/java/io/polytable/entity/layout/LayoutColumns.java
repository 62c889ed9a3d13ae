package io.polytable.entity.layout;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The columns of a layout by name and by id, without disabled ones. */
public final class LayoutColumns {
    /** A family with its group and its columns. */
    public record Family(
            LocalityGroup group,
            FamilyLayout layout,
            Map<String, ColumnLayout> byName,
            Map<String, ColumnLayout> byId) {
        public boolean isMap() {
            return layout.isMap();
        }

        /** The column's qualifier in stores. */
        public Optional<String> storedQualifier(String qualifier) {
            return isMap()
                    ? Optional.of(qualifier)
                    : Optional.ofNullable(byName.get(qualifier)).map(ColumnLayout::id);
        }

        /** The column's name for a stored qualifier; empty for cells of removed columns. */
        public Optional<String> shownQualifier(String stored) {
            return isMap()
                    ? Optional.of(stored)
                    : Optional.ofNullable(byId.get(stored)).map(ColumnLayout::name);
        }

        public Optional<CellSchema> schema(String qualifier) {
            return isMap()
                    ? layout.mapSchema()
                    : Optional.ofNullable(byName.get(qualifier)).map(ColumnLayout::schema);
        }
    }

    private final TableLayout layout;
    private final Map<String, Family> byName = new HashMap<>();
    private final List<Family> families = new ArrayList<>();

    public LayoutColumns(TableLayout layout) {
        this.layout = layout;
        for (LocalityGroup group : layout.groups()) {
            for (FamilyLayout family : group.families()) {
                if (group.enabled() && family.enabled()) {
                    add(group, family);
                }
            }
        }
    }

    private void add(LocalityGroup group, FamilyLayout family) {
        Map<String, ColumnLayout> names = new HashMap<>();
        Map<String, ColumnLayout> ids = new HashMap<>();
        for (ColumnLayout column : family.columns()) {
            if (column.enabled()) {
                ids.put(column.id(), column);
                names.put(column.name(), column);
                column.aliases().forEach(alias -> names.putIfAbsent(alias, column));
            }
        }
        Family found = new Family(group, family, names, ids);
        families.add(found);
        byName.put(family.name(), found);
        family.aliases().forEach(alias -> byName.putIfAbsent(alias, found));
    }

    public TableLayout layout() {
        return layout;
    }

    public List<Family> families() {
        return families;
    }

    public Optional<Family> find(String family) {
        return Optional.ofNullable(byName.get(family));
    }

    public Family family(String family) {
        Family found = byName.get(family);
        if (found == null) {
            throw new EntityException(
                    EntityError.NO_SUCH_COLUMN,
                    "The table has no such family",
                    Map.of("table", layout.name(), "family", family));
        }
        return found;
    }

    /** The schema of the column's cells, or {@link EntityError#NO_SUCH_COLUMN}. */
    public CellSchema schema(ColumnName column) {
        return family(column.family()).schema(column.column()).orElseThrow(() -> absent(column));
    }

    public String storedQualifier(ColumnName column) {
        return family(column.family()).storedQualifier(column.column()).orElseThrow(() -> absent(column));
    }

    private EntityException absent(ColumnName column) {
        return new EntityException(
                EntityError.NO_SUCH_COLUMN,
                "The table has no such column",
                Map.of("table", layout.name(), "column", column.toString()));
    }
}
