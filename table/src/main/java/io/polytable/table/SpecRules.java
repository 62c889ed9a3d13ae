package io.polytable.table;

import io.polytable.table.column.Column;
import io.polytable.table.column.KeyColumn;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Validation of a {@link TableSpec}; violations are {@link StoreError#BAD_SPEC}. */
final class SpecRules {
    /**
     * Names become parts of column family names, directories and file names. So they have no separators, nothing
     * special to a shell or a file system, and no leading dot or dash.
     */
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0," + (Limits.NAME_CHARS_MAX - 1) + "}");

    private static final Set<String> STORES_OWN = Set.of("catalog", "deadlines");

    private SpecRules() {}

    static void check(
            TableName name,
            List<Column> columns,
            List<KeyColumn> partitionKey,
            List<KeyColumn> sortKey,
            TableOptions options) {
        requireName("namespace", name.namespace());
        requireName("table", name.name());
        Set<String> known = checkColumns(columns);
        require(!partitionKey.isEmpty(), "A table needs a partition key", "table", name);
        Set<String> used = new HashSet<>();
        checkKey(partitionKey, known, used);
        checkKey(sortKey, known, used);
        Duration ttl = options.ttl().orElse(Duration.ofSeconds(1));
        require(!ttl.isNegative() && !ttl.isZero(), "A time to live must be positive", "ttl", ttl);
    }

    /** Families of system tables carry no namespace, so only one namespace may have them. */
    static void checkCreatable(TableSpec spec) {
        TableName name = spec.name();
        if (spec.kind() == TableKind.SYSTEM) {
            boolean isSystem = name.namespace().equals(TableName.SYSTEM_NAMESPACE);
            require(isSystem, "System tables belong to the system namespace", "table", name);
            require(!STORES_OWN.contains(name.name()), "This is the store's own table", "table", name);
        }
        checkTtl(spec);
    }

    static void checkTtl(TableSpec spec) {
        boolean expires = spec.options().ttl().isEmpty() || !spec.expiry().isNever();
        require(expires || spec.options().prefixed(), "A time to live needs a stream's time key", "table", spec.name());
    }

    private static void requireName(String what, String name) {
        require(NAME.matcher(name).matches(), "A name has characters or a length that are not allowed", what, name);
    }

    private static Set<String> checkColumns(List<Column> columns) {
        require(columns.size() <= Limits.COLUMNS_MAX, "Too many columns", "columns", columns.size());
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            requireColumnName(column.name());
            require(names.add(column.name()), "Two columns have the same name", "column", column.name());
        }
        return names;
    }

    /** Column names are shown and quoted but never part of a path: any printable text in valid UTF-8. */
    private static void requireColumnName(String name) {
        boolean fits = !name.isEmpty()
                && name.length() <= Limits.NAME_CHARS_MAX
                && name.codePoints()
                        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
        require(fits, "A column's name has characters or a length that are not allowed", "column", name);
    }

    private static void checkKey(List<KeyColumn> keys, Set<String> known, Set<String> used) {
        for (KeyColumn key : keys) {
            require(known.contains(key.column()), "A key column is not among the columns", "column", key.column());
            require(used.add(key.column()), "A column is twice in the key", "column", key.column());
        }
    }

    private static void require(boolean holds, String text, String fact, Object value) {
        if (!holds) {
            throw new StoreException(StoreError.BAD_SPEC, text, Map.of(fact, value));
        }
    }
}
