package io.polytable.entity.layout;

import static io.polytable.entity.layout.LayoutRules.require;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.avro.Schema;

/**
 * Derives the next layout of a table. Nothing is deleted by omission: each part of the current layout must be present,
 * renamed or deleted explicitly. An update names the layout it is based on, so concurrent updates cannot overwrite each
 * other.
 */
public final class LayoutUpdate {
    private final TableLayout current;
    private final TableLayout wanted;
    private final IdMaker ids;
    private final Set<String> retired;

    private LayoutUpdate(TableLayout current, TableLayout wanted) {
        this.current = current;
        this.wanted = wanted;
        ids = new IdMaker(current.naming(), current.retired());
        retired = new TreeSet<>(current.retired());
    }

    /** The first layout of a new table. */
    public static TableLayout create(TableLayout wanted) {
        TableLayout nothing = new TableLayout(
                wanted.name(),
                "",
                "0",
                Optional.empty(),
                wanted.keys(),
                wanted.naming(),
                List.of(),
                Map.of(),
                Set.of());
        require(wanted.reference().isEmpty(), "A new table has no reference layout", wanted.name());
        return new LayoutUpdate(nothing, wanted).result();
    }

    /** The layout after the current one; {@link EntityError#LAYOUT_CONFLICT} if the update is based on another. */
    public static TableLayout apply(TableLayout current, TableLayout wanted) {
        require(current.name().equals(wanted.name()), "A table keeps its name", wanted.name());
        String reference = wanted.reference().orElse("");
        if (!reference.equals(current.layoutId())) {
            throw new EntityException(
                    EntityError.LAYOUT_CONFLICT,
                    "The update was made for another layout",
                    Map.of("reference", reference, "current", current.layoutId()));
        }
        require(current.keys().equals(wanted.keys()), "A table keeps its key format", wanted.name());
        require(current.naming() == wanted.naming(), "A table keeps its way of making ids", wanted.name());
        return new LayoutUpdate(current, wanted).result();
    }

    private TableLayout result() {
        keepIds();
        refuseMoves();
        List<LocalityGroup> groups = merge(
                "locality group",
                current.groups(),
                wanted.groups(),
                new Part<>(LocalityGroup::name, LocalityGroup::change, this::retire, this::group));
        String id = wanted.layoutId().isEmpty() ? next(current.layoutId()) : wanted.layoutId();
        require(!id.equals(current.layoutId()), "A new layout needs a new id", id);
        TableLayout next = new TableLayout(
                wanted.name(),
                wanted.description(),
                id,
                wanted.reference(),
                wanted.keys(),
                current.naming(),
                groups,
                wanted.options(),
                retired);
        LayoutRules.check(next);
        return next;
    }

    private static String next(String id) {
        return id.matches("[0-9]{1,9}") ? String.valueOf(Integer.parseInt(id) + 1) : id + "_2";
    }

    /** Accessors for the parts of one level. */
    private record Part<T>(
            Function<T, String> name,
            Function<T, Change> change,
            java.util.function.Consumer<T> retire,
            Merge<T> merge) {}

    private interface Merge<T> {
        T of(Optional<T> current, T wanted);
    }

    private <T> List<T> merge(String what, List<T> present, List<T> wantedParts, Part<T> part) {
        Map<String, T> left = new HashMap<>();
        present.forEach(old -> left.put(part.name().apply(old), old));
        List<T> result = new ArrayList<>();
        Set<String> renamed = new HashSet<>();
        wantedParts.forEach(now -> part.change().apply(now).renamedFrom().ifPresent(renamed::add));
        for (T now : wantedParts) {
            String name = part.name().apply(now);
            Change change = part.change().apply(now);
            String from = change.renamedFrom().orElse(name);
            boolean isNew = change.renamedFrom().isEmpty() && (!left.containsKey(name) || renamed.contains(name));
            T old = isNew ? null : left.remove(from);
            require(old != null || change.renamedFrom().isEmpty(), "A " + what + " to rename is not there", from);
            if (change.delete()) {
                require(old != null, "A " + what + " to delete is not there", name);
                if (old != null) {
                    part.retire().accept(old);
                }
            } else {
                result.add(part.merge().of(Optional.ofNullable(old), now));
            }
        }
        require(left.isEmpty(), "A " + what + " is missing: rename or delete it explicitly", left.keySet());
        return result;
    }

    private LocalityGroup group(Optional<LocalityGroup> old, LocalityGroup now) {
        String id = old.map(LocalityGroup::id).orElseGet(() -> ids.make("group", now.name()));
        List<FamilyLayout> families = merge(
                "family",
                old.map(LocalityGroup::families).orElse(List.of()),
                now.families(),
                new Part<>(FamilyLayout::name, FamilyLayout::change, this::retire, this::family));
        return now.withId(id).withFamilies(families).with(Change.NONE);
    }

    private FamilyLayout family(Optional<FamilyLayout> old, FamilyLayout now) {
        require(old.isEmpty() || old.get().isMap() == now.isMap(), "A family stays group-type or map-type", now.name());
        String id = old.map(FamilyLayout::id).orElseGet(() -> ids.make("family", now.name()));
        List<ColumnLayout> columns = merge(
                "column",
                old.map(FamilyLayout::columns).orElse(List.of()),
                now.columns(),
                new Part<>(
                        ColumnLayout::name,
                        ColumnLayout::change,
                        column -> retired.add(IdMaker.key(place(id), column.id())),
                        (was, column) -> column(id, now.name(), was, column)));
        FamilyLayout next = now.withId(id).withColumns(columns).with(Change.NONE);
        return now.mapSchema()
                .map(schema -> next.withMapSchema(schema(now.name(), old.flatMap(FamilyLayout::mapSchema), schema)))
                .orElse(next);
    }

    private ColumnLayout column(String familyId, String family, Optional<ColumnLayout> old, ColumnLayout now) {
        String id = old.map(ColumnLayout::id).orElseGet(() -> ids.make(place(familyId), now.name()));
        CellSchema schema = schema(family + ":" + now.name(), old.map(ColumnLayout::schema), now.schema());
        return now.withId(id).withSchema(schema).with(Change.NONE);
    }

    private static CellSchema schema(String column, Optional<CellSchema> old, CellSchema now) {
        old.ifPresent(was -> {
            require(was.type() == now.type(), "A column keeps its cell type", column);
            require(was.storage() == now.storage(), "A column keeps its way of storing schemas", column);
            boolean sameWriter =
                    was.storage() != SchemaStorage.FINAL || was.writers().equals(now.writers());
            require(sameWriter, "A column that does not store its schema keeps its writer schema", column);
        });
        SchemaRules.check(column, old, now);
        List<Schema> written = new ArrayList<>(now.written());
        old.map(CellSchema::writers).orElse(List.of()).stream()
                .filter(writer -> !now.writers().contains(writer))
                .forEach(written::add);
        return now.withSchemas(now.readers(), now.writers(), written);
    }

    private void keepIds() {
        for (LocalityGroup group : current.groups()) {
            ids.keep("group", group.id());
            for (FamilyLayout family : group.families()) {
                ids.keep("family", family.id());
                family.columns().forEach(column -> ids.keep(place(family.id()), column.id()));
            }
        }
    }

    /** A family that appears in another group without having been deleted was moved, which would lose its cells. */
    private void refuseMoves() {
        for (LocalityGroup group : wanted.groups()) {
            String oldGroup = group.change().renamedFrom().orElse(group.name());
            for (FamilyLayout family : group.families()) {
                String oldFamily = family.change().renamedFrom().orElse(family.name());
                for (LocalityGroup other : current.groups()) {
                    boolean stays = other.name().equals(oldGroup);
                    boolean hasIt =
                            other.families().stream().anyMatch(was -> was.name().equals(oldFamily));
                    require(
                            stays || !hasIt || isDeleted(other, oldFamily),
                            "A family cannot move to another locality group",
                            oldFamily);
                }
            }
        }
    }

    private boolean isDeleted(LocalityGroup old, String family) {
        for (LocalityGroup now : wanted.groups()) {
            if (now.change().renamedFrom().orElse(now.name()).equals(old.name())) {
                return now.change().delete()
                        || now.families().stream()
                                .anyMatch(part -> part.name().equals(family)
                                        && part.change().delete());
            }
        }
        return false;
    }

    private void retire(LocalityGroup group) {
        retired.add(IdMaker.key(IdMaker.GROUP, group.id()));
        group.families().forEach(this::retire);
    }

    private void retire(FamilyLayout family) {
        retired.add(IdMaker.key(IdMaker.FAMILY, family.id()));
    }

    private static String place(String familyId) {
        return "column:" + familyId;
    }
}
