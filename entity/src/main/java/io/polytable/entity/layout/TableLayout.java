package io.polytable.entity.layout;

import io.polytable.entity.key.KeyFormat;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The layout of a table: its key format, and its locality groups of families of columns. Also an update of a layout;
 * then {@code reference} names the layout that it is based on.
 *
 * @param layoutId identifies this layout among those of the table; empty in an update to have it generated
 * @param options options for particular stores, such as {@code ordered}
 * @param retired ids that were used before and are never reused
 */
public record TableLayout(
        String name,
        String description,
        String layoutId,
        Optional<String> reference,
        KeyFormat keys,
        IdNaming naming,
        List<LocalityGroup> groups,
        Map<String, String> options,
        Set<String> retired) {
    public TableLayout {
        groups = List.copyOf(groups);
        options = Collections.unmodifiableMap(new TreeMap<>(options));
        retired = Collections.unmodifiableSet(new TreeSet<>(retired));
    }

    public static TableLayout of(String name, KeyFormat keys, LocalityGroup... groups) {
        return new TableLayout(
                name, "", "", Optional.empty(), keys, IdNaming.IDENTITY, List.of(groups), Map.of(), Set.of());
    }

    public static TableLayout parse(String json) {
        return LayoutJson.parse(json);
    }

    public String toJson() {
        return LayoutJson.write(this);
    }

    public TableLayout withDescription(String text) {
        return new TableLayout(name, text, layoutId, reference, keys, naming, groups, options, retired);
    }

    public TableLayout withGroups(List<LocalityGroup> newGroups) {
        return new TableLayout(name, description, layoutId, reference, keys, naming, newGroups, options, retired);
    }

    public TableLayout withOption(String key, String value) {
        Map<String, String> more = new TreeMap<>(options);
        more.put(key, value);
        return new TableLayout(name, description, layoutId, reference, keys, naming, groups, more, retired);
    }

    public TableLayout withNaming(IdNaming newNaming) {
        return new TableLayout(name, description, layoutId, reference, keys, newNaming, groups, options, retired);
    }

    /** An update that starts from this layout. */
    public TableLayout toUpdate() {
        return new TableLayout(name, description, "", Optional.of(layoutId), keys, naming, groups, options, retired);
    }

    /** Ids of the table's former groups, which are never reused. */
    public Set<String> retiredGroups() {
        return retired(IdMaker.GROUP);
    }

    /** Ids of the table's former families, which are never reused. */
    public Set<String> retiredFamilies() {
        return retired(IdMaker.FAMILY);
    }

    private Set<String> retired(String place) {
        String prefix = IdMaker.key(place, "");
        return retired.stream()
                .filter(key -> key.startsWith(prefix))
                .map(key -> key.substring(prefix.length()))
                .collect(Collectors.toUnmodifiableSet());
    }

    public Optional<LocalityGroup> group(String groupName) {
        return groups.stream().filter(group -> group.name().equals(groupName)).findFirst();
    }

    public Optional<FamilyLayout> family(String familyName) {
        return groups.stream()
                .flatMap(group -> group.families().stream())
                .filter(family -> family.name().equals(familyName))
                .findFirst();
    }
}
