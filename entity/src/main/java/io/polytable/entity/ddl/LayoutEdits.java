package io.polytable.entity.ddl;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.Change;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Edits single parts of layouts. A missing part is refused, and so is a new one that exists. */
final class LayoutEdits {
    private LayoutEdits() {}

    static TableLayout addGroup(TableLayout layout, LocalityGroup group) {
        refuse(layout.group(group.name()).isPresent(), "The table has a locality group of this name", group.name());
        return layout.withGroups(plus(layout.groups(), group));
    }

    static TableLayout addFamily(TableLayout layout, String group, FamilyLayout family) {
        refuse(layout.family(family.name()).isPresent(), "The table has a family of this name", family.name());
        return group(layout, group, old -> old.withFamilies(plus(old.families(), family)));
    }

    static TableLayout addColumn(TableLayout layout, String family, ColumnLayout column) {
        return family(layout, family, old -> {
            refuse(old.isMap(), "A map-type family has no columns of its own", family);
            boolean exists =
                    old.columns().stream().anyMatch(known -> known.name().equals(column.name()));
            refuse(exists, "The family has a column of this name", column.name());
            return old.withColumns(plus(old.columns(), column));
        });
    }

    static TableLayout group(TableLayout layout, String name, UnaryOperator<LocalityGroup> edit) {
        return layout.withGroups(replaced(layout.groups(), LocalityGroup::name, name, "locality group", edit));
    }

    static TableLayout family(TableLayout layout, String name, UnaryOperator<FamilyLayout> edit) {
        LocalityGroup home = layout.groups().stream()
                .filter(group -> group.families().stream()
                        .anyMatch(family -> family.name().equals(name)))
                .findFirst()
                .orElseThrow(() -> absent("family", name));
        return group(
                layout,
                home.name(),
                group -> group.withFamilies(replaced(group.families(), FamilyLayout::name, name, "family", edit)));
    }

    static TableLayout column(TableLayout layout, ColumnName name, UnaryOperator<ColumnLayout> edit) {
        return family(
                layout,
                name.family(),
                family -> family.withColumns(
                        replaced(family.columns(), ColumnLayout::name, name.column(), "column", edit)));
    }

    /** The schema of a column, or of a map-type family. */
    static TableLayout schema(TableLayout layout, ColumnName name, UnaryOperator<CellSchema> edit) {
        if (!name.isFamily()) {
            return column(layout, name, column -> column.withSchema(edit.apply(column.schema())));
        }
        return family(layout, name.family(), family -> {
            CellSchema schema = family.mapSchema()
                    .orElseThrow(() -> new EntityException(
                            EntityError.BAD_LAYOUT,
                            "A group-type family has no schema: name a column",
                            Map.of("family", name.family())));
            return family.withMapSchema(edit.apply(schema));
        });
    }

    /** The schemas of all Avro columns. */
    static TableLayout everySchema(TableLayout layout, UnaryOperator<CellSchema> edit) {
        UnaryOperator<FamilyLayout> family = old -> {
            List<ColumnLayout> columns = old.columns().stream()
                    .map(column -> column.withSchema(edit.apply(column.schema())))
                    .toList();
            FamilyLayout changed = old.withColumns(columns);
            return old.mapSchema()
                    .map(schema -> changed.withMapSchema(edit.apply(schema)))
                    .orElse(changed);
        };
        return layout.withGroups(layout.groups().stream()
                .map(group ->
                        group.withFamilies(group.families().stream().map(family).toList()))
                .toList());
    }

    static LocalityGroup renamed(LocalityGroup group, String name) {
        return group.withName(name).with(Change.renamedFrom(group.name()));
    }

    static FamilyLayout renamed(FamilyLayout family, String name) {
        return family.withName(name).with(Change.renamedFrom(family.name()));
    }

    static ColumnLayout renamed(ColumnLayout column, String name) {
        return column.withName(name).with(Change.renamedFrom(column.name()));
    }

    private static <T> List<T> plus(List<T> parts, T part) {
        List<T> more = new ArrayList<>(parts);
        more.add(part);
        return more;
    }

    private static <T> List<T> replaced(
            List<T> parts, Function<T, String> nameOf, String name, String what, UnaryOperator<T> edit) {
        boolean isThere = parts.stream().anyMatch(part -> nameOf.apply(part).equals(name));
        if (!isThere) {
            throw absent(what, name);
        }
        return parts.stream()
                .map(part -> nameOf.apply(part).equals(name) ? edit.apply(part) : part)
                .toList();
    }

    private static EntityException absent(String what, String name) {
        return new EntityException(
                EntityError.NO_SUCH_COLUMN, "The table has no such part", Map.of("what", what, "name", name));
    }

    private static void refuse(boolean isWrong, String text, String name) {
        if (isWrong) {
            throw new EntityException(EntityError.BAD_LAYOUT, text, Map.of("name", name));
        }
    }
}
