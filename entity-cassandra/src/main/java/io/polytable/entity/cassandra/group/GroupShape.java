package io.polytable.entity.cassandra.group;

import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.CellType;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The permanent shape of a locality group's table.
 *
 * @param byTime whether a second table orders the family's columns by time, see {@link TimeIndex}
 * @param byColumn whether a second table orders the keys by column, see {@link ColumnIndex}
 */
public record GroupShape(Kind kind, boolean byTime, boolean byColumn) {
    enum Kind {
        /** One version of each column, and no time in the key. */
        SINGLE,
        /** Several versions, the time in the key. */
        VERSIONED,
        /** Cassandra's own counters. */
        COUNTERS
    }

    static final String COUNTERS = "native_counters";
    static final String BY_TIME = "by_time";
    static final String BY_COLUMN = "by_column";

    boolean isSingle() {
        return kind != Kind.VERSIONED;
    }

    boolean hasCounters() {
        return kind == Kind.COUNTERS;
    }

    /** The shape of a new group of this layout. */
    public static GroupShape of(LocalityGroup group) {
        Kind versions = group.maxVersions() == 1 ? Kind.SINGLE : Kind.VERSIONED;
        GroupShape shape = new GroupShape(
                isSet(group, COUNTERS) ? Kind.COUNTERS : versions, isSet(group, BY_TIME), isSet(group, BY_COLUMN));
        shape.check(group);
        return shape;
    }

    /** For an existing group: refuses a layout that its table does not support. */
    public void check(LocalityGroup group) {
        if (kind == Kind.SINGLE && group.maxVersions() > 1) {
            throw new EntityException(
                    EntityError.NOT_CAPABLE,
                    "A locality group that was made for one version cannot keep more: make another",
                    Map.of("group", group.name()));
        }
        keep(group, COUNTERS, hasCounters());
        keep(group, BY_TIME, byTime);
        keep(group, BY_COLUMN, byColumn);
        if (hasCounters()) {
            checkCounters(group);
        }
    }

    private static boolean isSet(LocalityGroup group, String option) {
        return group.options().getOrDefault(option, "false").equals("true");
    }

    private static void keep(LocalityGroup group, String option, boolean made) {
        if (isSet(group, option) != made) {
            throw new EntityException(
                    EntityError.NOT_CAPABLE,
                    "This option is decided when the locality group is made: make another",
                    Map.of("group", group.name(), "option", option));
        }
    }

    /** Cassandra keeps counters in tables of their own, without versions and without a time to live. */
    private void checkCounters(LocalityGroup group) {
        boolean onlyCounters = group.families().stream()
                .flatMap(family -> schemas(family).stream())
                .allMatch(schema ->
                        schema.type() == CellType.COUNTER && schema.ttlSeconds().isEmpty());
        boolean isPlain = group.maxVersions() == 1 && group.ttlSeconds() == LocalityGroup.FOREVER;
        if (!onlyCounters || !isPlain || byTime || byColumn) {
            throw new EntityException(
                    EntityError.BAD_LAYOUT,
                    "A locality group of native counters has nothing else, one version, and no time to live",
                    Map.of("group", group.name()));
        }
    }

    private static List<CellSchema> schemas(FamilyLayout family) {
        return family.mapSchema()
                .map(List::of)
                .orElseGet(() ->
                        family.columns().stream().map(ColumnLayout::schema).toList());
    }

    /** One word for the instance's records: {@code versioned} or {@code single,by_time}. */
    String text() {
        return kind.name().toLowerCase(java.util.Locale.ROOT)
                + (byTime ? "," + BY_TIME : "")
                + (byColumn ? "," + BY_COLUMN : "");
    }

    static GroupShape parse(String text) {
        List<String> words = Arrays.asList(text.split(",", -1));
        Kind kind = Kind.valueOf(words.get(0).toUpperCase(java.util.Locale.ROOT));
        return new GroupShape(kind, words.contains(BY_TIME), words.contains(BY_COLUMN));
    }
}
