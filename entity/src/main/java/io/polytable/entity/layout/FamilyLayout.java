package io.polytable.entity.layout;

import java.util.List;
import java.util.Optional;

/**
 * A family: group-type with separately defined columns, or map-type with cells of one type under any qualifier.
 *
 * @param mapSchema the schema of a map-type family's cells; empty for a group-type one
 */
public record FamilyLayout(
        String name,
        String id,
        List<String> aliases,
        boolean enabled,
        String description,
        Optional<CellSchema> mapSchema,
        List<ColumnLayout> columns,
        Change change) {
    public FamilyLayout {
        aliases = List.copyOf(aliases);
        columns = List.copyOf(columns);
    }

    public static FamilyLayout group(String name, ColumnLayout... columns) {
        return new FamilyLayout(name, "", List.of(), true, "", Optional.empty(), List.of(columns), Change.NONE);
    }

    public static FamilyLayout map(String name, CellSchema schema) {
        return new FamilyLayout(name, "", List.of(), true, "", Optional.of(schema), List.of(), Change.NONE);
    }

    public boolean isMap() {
        return mapSchema.isPresent();
    }

    public FamilyLayout withId(String newId) {
        return new FamilyLayout(name, newId, aliases, enabled, description, mapSchema, columns, change);
    }

    public FamilyLayout withName(String newName) {
        return new FamilyLayout(newName, id, aliases, enabled, description, mapSchema, columns, change);
    }

    public FamilyLayout withColumns(List<ColumnLayout> newColumns) {
        return new FamilyLayout(name, id, aliases, enabled, description, mapSchema, newColumns, change);
    }

    public FamilyLayout withMapSchema(CellSchema schema) {
        return new FamilyLayout(name, id, aliases, enabled, description, Optional.of(schema), columns, change);
    }

    public FamilyLayout withDescription(String text) {
        return new FamilyLayout(name, id, aliases, enabled, text, mapSchema, columns, change);
    }

    public FamilyLayout with(Change newChange) {
        return new FamilyLayout(name, id, aliases, enabled, description, mapSchema, columns, newChange);
    }
}
