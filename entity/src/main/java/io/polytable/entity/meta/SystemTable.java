package io.polytable.entity.meta;

import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Properties of an instance. */
public final class SystemTable {
    /** The property with the format version of the instance's records. */
    public static final String DATA_VERSION = "data-version";

    public static final String CURRENT_DATA_VERSION = "polytable-entity-1";

    private static final String PREFIX = "system/";

    private final StoreRecords records;

    public SystemTable(StoreRecords records) {
        this.records = records;
    }

    public Optional<String> get(String key) {
        return records.get(PREFIX + key).map(Bytes::utf8);
    }

    public void put(String key, String value) {
        records.put(PREFIX + key, Bytes.utf8(value));
    }

    public void remove(String key) {
        records.remove(PREFIX + key);
    }

    public NavigableMap<String, String> all() {
        NavigableMap<String, String> all = new TreeMap<>();
        records.withPrefix(PREFIX).forEach((key, value) -> all.put(key.substring(PREFIX.length()), value.utf8()));
        return all;
    }
}
