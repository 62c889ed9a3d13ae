package io.polytable.entity.meta;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Notes on a table and on its columns and families: short texts under keys, for people and tools. */
public final class Notes {
    private static final String PREFIX = "note/";
    private static final Pattern KEY = Pattern.compile("[a-zA-Z0-9_]{1,100}");
    private static final int VALUE_LENGTH_MAX = 64 << 10;

    private final StoreRecords records;
    private final String table;

    public Notes(StoreRecords records, String table) {
        this.records = records;
        this.table = table;
    }

    public void set(String key, String value) {
        put(prefix(Optional.empty()), key, value);
    }

    public void set(ColumnName column, String key, String value) {
        put(prefix(Optional.of(column)), key, value);
    }

    private void put(String prefix, String key, String value) {
        if (!KEY.matcher(key).matches()) {
            throw new EntityException(
                    EntityError.BAD_NAME, "A note's key has letters, digits and underscores only", Map.of("key", key));
        }
        if (value.length() > VALUE_LENGTH_MAX) {
            throw new EntityException(EntityError.TOO_LARGE, "A note is too long", Map.of("length", value.length()));
        }
        records.put(prefix + key, Bytes.utf8(value));
    }

    public Optional<String> get(String key) {
        return records.get(prefix(Optional.empty()) + key).map(Bytes::utf8);
    }

    public Optional<String> get(ColumnName column, String key) {
        return records.get(prefix(Optional.of(column)) + key).map(Bytes::utf8);
    }

    /** The table's own notes whose keys are wanted. */
    public NavigableMap<String, String> find(Predicate<String> keys) {
        return find(prefix(Optional.empty()), keys);
    }

    public NavigableMap<String, String> find(ColumnName column, Predicate<String> keys) {
        return find(prefix(Optional.of(column)), keys);
    }

    private NavigableMap<String, String> find(String prefix, Predicate<String> keys) {
        NavigableMap<String, String> found = new TreeMap<>();
        records.withPrefix(prefix).forEach((record, value) -> {
            String key = record.substring(prefix.length());
            if (keys.test(key)) {
                found.put(key, value.utf8());
            }
        });
        return found;
    }

    /** The notes of all columns of a family, and of the family itself, whose keys are wanted. */
    public NavigableMap<ColumnName, NavigableMap<String, String>> findInFamily(String family, Predicate<String> keys) {
        String all = PREFIX + table + "/c/" + family;
        NavigableMap<ColumnName, NavigableMap<String, String>> found = new TreeMap<>();
        records.withPrefix(all).forEach((record, value) -> {
            int slash = record.lastIndexOf('/');
            ColumnName column = ColumnName.parse(record.substring((PREFIX + table + "/c/").length(), slash));
            String key = record.substring(slash + 1);
            if (column.family().equals(family) && keys.test(key)) {
                found.computeIfAbsent(column, name -> new TreeMap<>()).put(key, value.utf8());
            }
        });
        return found;
    }

    public void remove(String key) {
        records.remove(prefix(Optional.empty()) + key);
    }

    public void remove(ColumnName column, String key) {
        records.remove(prefix(Optional.of(column)) + key);
    }

    /** Removes the table's own notes whose keys are wanted; returns how many there were. */
    public int removeAll(Predicate<String> keys) {
        NavigableMap<String, String> found = find(keys);
        found.keySet().forEach(this::remove);
        return found.size();
    }

    /** Removes a column's or family's notes whose keys are wanted; returns how many there were. */
    public int removeAll(ColumnName column, Predicate<String> keys) {
        NavigableMap<String, String> found = find(column, keys);
        found.keySet().forEach(key -> remove(column, key));
        return found.size();
    }

    /** Removes the notes of a family and of all its columns whose keys are wanted; returns how many there were. */
    public int removeAllInFamily(String family, Predicate<String> keys) {
        NavigableMap<ColumnName, NavigableMap<String, String>> found = findInFamily(family, keys);
        found.forEach((column, notes) -> notes.keySet().forEach(key -> remove(column, key)));
        return found.values().stream().mapToInt(Map::size).sum();
    }

    /** All notes of the table and its columns. */
    public void removeAll() {
        records.withPrefix(PREFIX + table + "/").keySet().forEach(records::remove);
    }

    private String prefix(Optional<ColumnName> column) {
        return PREFIX + table + column.map(name -> "/c/" + name + "/").orElse("/t/");
    }
}
