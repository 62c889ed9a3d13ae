package io.polytable.entity.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;

/** The difference between two layouts, one line each: + for new, - for removed, ~ for changed. */
public final class LayoutDifference {
    private final List<String> lines = new ArrayList<>();

    private LayoutDifference() {}

    public static List<String> between(TableLayout before, TableLayout after) {
        LayoutDifference difference = new LayoutDifference();
        String table = "table " + after.name();
        difference.changed(table, "description", before.description(), after.description());
        difference.changed(table, "options", before.options(), after.options());
        difference.groups(before, after);
        return List.copyOf(difference.lines);
    }

    private void groups(TableLayout before, TableLayout after) {
        Map<String, LocalityGroup> old = new LinkedHashMap<>();
        before.groups().forEach(group -> old.put(group.id(), group));
        for (LocalityGroup now : after.groups()) {
            LocalityGroup was = old.remove(now.id());
            String what = "locality group " + now.name();
            if (was == null) {
                lines.add("+ " + what);
            } else {
                properties(what, was, now);
            }
            families(was == null ? List.of() : was.families(), now.families());
        }
        old.values().forEach(gone -> lines.add("- locality group " + gone.name()));
    }

    private void properties(String what, LocalityGroup was, LocalityGroup now) {
        changed(what, "name", was.name(), now.name());
        changed(what, "description", was.description(), now.description());
        changed(what, "max versions", was.maxVersions(), now.maxVersions());
        changed(what, "ttl seconds", was.ttlSeconds(), now.ttlSeconds());
        changed(what, "in memory", was.inMemory(), now.inMemory());
        changed(what, "bloom", was.bloom(), now.bloom());
        changed(what, "compression", was.compression(), now.compression());
        changed(what, "block bytes", was.blockBytes(), now.blockBytes());
        changed(what, "enabled", was.enabled(), now.enabled());
        changed(what, "options", was.options(), now.options());
    }

    private void families(List<FamilyLayout> before, List<FamilyLayout> after) {
        Map<String, FamilyLayout> old = new LinkedHashMap<>();
        before.forEach(family -> old.put(family.id(), family));
        for (FamilyLayout now : after) {
            FamilyLayout was = old.remove(now.id());
            String what = (now.isMap() ? "map-type family " : "group-type family ") + now.name();
            if (was == null) {
                lines.add("+ " + what);
            } else {
                changed(what, "name", was.name(), now.name());
                changed(what, "description", was.description(), now.description());
                changed(what, "enabled", was.enabled(), now.enabled());
                was.mapSchema()
                        .ifPresent(
                                schema -> schema(what, schema, now.mapSchema().orElse(schema)));
            }
            columns(now.name(), was == null ? List.of() : was.columns(), now.columns());
        }
        old.values().forEach(gone -> lines.add("- family " + gone.name()));
    }

    private void columns(String family, List<ColumnLayout> before, List<ColumnLayout> after) {
        Map<String, ColumnLayout> old = new LinkedHashMap<>();
        before.forEach(column -> old.put(column.id(), column));
        for (ColumnLayout now : after) {
            ColumnLayout was = old.remove(now.id());
            String what = "column " + family + ":" + now.name();
            if (was == null) {
                lines.add("+ " + what);
            } else {
                changed(what, "name", was.name(), now.name());
                changed(what, "description", was.description(), now.description());
                changed(what, "enabled", was.enabled(), now.enabled());
                schema(what, was.schema(), now.schema());
            }
        }
        old.values().forEach(gone -> lines.add("- column " + family + ":" + gone.name()));
    }

    private void schema(String what, CellSchema was, CellSchema now) {
        changed(what, "validation", was.validation(), now.validation());
        changed(what, "class", was.className().orElse(""), now.className().orElse(""));
        changed(what, "ttl seconds", was.ttlSeconds(), now.ttlSeconds());
        changed(
                what,
                "default reader",
                was.defaultReader().orElse(null),
                now.defaultReader().orElse(null));
        listed(what, "reader", was.readers(), now.readers());
        listed(what, "writer", was.writers(), now.writers());
        listed(what, "recorded schema", was.written(), now.written());
    }

    private void listed(String what, String role, Collection<Schema> was, Collection<Schema> now) {
        now.stream()
                .filter(schema -> !was.contains(schema))
                .forEach(schema -> lines.add("+ " + what + ": " + role + " " + schema));
        was.stream()
                .filter(schema -> !now.contains(schema))
                .forEach(schema -> lines.add("- " + what + ": " + role + " " + schema));
    }

    private void changed(
            String what,
            String property,
            @org.jspecify.annotations.Nullable Object was,
            @org.jspecify.annotations.Nullable Object now) {
        if (!Objects.equals(was, now)) {
            lines.add("~ " + what + ": " + property + " " + was + " -> " + now);
        }
    }
}
