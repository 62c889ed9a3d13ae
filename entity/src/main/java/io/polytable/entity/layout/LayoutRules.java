package io.polytable.entity.layout;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validates a single layout. */
final class LayoutRules {
    private static final int GROUPS_MAX = 100;
    private static final int FAMILIES_MAX = 400;
    private static final int COLUMNS_MAX = 10_000;

    private LayoutRules() {}

    static void check(TableLayout layout) {
        Names.identifier("table", layout.name());
        require(!layout.groups().isEmpty(), "A layout has a locality group", layout.name());
        require(
                layout.groups().size() <= GROUPS_MAX,
                "Too many locality groups",
                layout.groups().size());
        Set<String> groups = new HashSet<>();
        Set<String> families = new HashSet<>();
        int columns = 0;
        for (LocalityGroup group : layout.groups()) {
            unique(groups, "locality group", group.name(), group.aliases());
            require(group.maxVersions() > 0, "A locality group keeps at least one version", group.name());
            require(group.ttlSeconds() > 0, "A time to live is positive", group.name());
            require(group.blockBytes() >= 0, "A block size is positive", group.name());
            for (FamilyLayout family : group.families()) {
                unique(families, "family", family.name(), family.aliases());
                checkFamily(family);
                columns += family.columns().size();
            }
        }
        require(families.size() <= FAMILIES_MAX, "Too many families", families.size());
        require(columns <= COLUMNS_MAX, "Too many columns", columns);
    }

    private static void checkFamily(FamilyLayout family) {
        require(
                !family.isMap() || family.columns().isEmpty(),
                "A family has a map schema or columns, not both",
                family.name());
        family.mapSchema().ifPresent(schema -> checkSchema(family.name(), schema));
        Set<String> columns = new HashSet<>();
        for (ColumnLayout column : family.columns()) {
            unique(columns, "column", column.name(), column.aliases());
            checkSchema(family.name() + ":" + column.name(), column.schema());
        }
    }

    private static void checkSchema(String column, CellSchema schema) {
        require(schema.ttlSeconds().orElse(1) > 0, "A time to live is positive", column);
        boolean isFinal = schema.type() == CellType.AVRO && schema.storage() == SchemaStorage.FINAL;
        require(
                !isFinal || schema.writers().size() == 1,
                "A column that does not store its schema has exactly one writer schema",
                column);
        require(
                schema.type() != CellType.PROTOBUF || schema.className().isPresent(),
                "A Protobuf column names its message class",
                column);
    }

    private static void unique(Set<String> seen, String what, String name, List<String> aliases) {
        Names.identifier(what, name);
        require(seen.add(name), "Two parts have the same name: " + what, name);
        for (String alias : aliases) {
            Names.identifier(what, alias);
            require(seen.add(alias), "Two parts have the same name: " + what, alias);
        }
    }

    static void require(boolean holds, String text, Object value) {
        if (!holds) {
            throw new EntityException(EntityError.BAD_LAYOUT, text, Map.of("value", value));
        }
    }
}
