package io.polytable.entity.layout;

import java.util.List;

/** A column of a group-type family. */
public record ColumnLayout(
        String name,
        String id,
        List<String> aliases,
        boolean enabled,
        String description,
        CellSchema schema,
        Change change) {
    public ColumnLayout {
        aliases = List.copyOf(aliases);
    }

    public static ColumnLayout of(String name, CellSchema schema) {
        return new ColumnLayout(name, "", List.of(), true, "", schema, Change.NONE);
    }

    public ColumnLayout withId(String newId) {
        return new ColumnLayout(name, newId, aliases, enabled, description, schema, change);
    }

    public ColumnLayout withName(String newName) {
        return new ColumnLayout(newName, id, aliases, enabled, description, schema, change);
    }

    public ColumnLayout withSchema(CellSchema newSchema) {
        return new ColumnLayout(name, id, aliases, enabled, description, newSchema, change);
    }

    public ColumnLayout withDescription(String text) {
        return new ColumnLayout(name, id, aliases, enabled, text, schema, change);
    }

    public ColumnLayout with(Change newChange) {
        return new ColumnLayout(name, id, aliases, enabled, description, schema, newChange);
    }
}
