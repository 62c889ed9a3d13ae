package io.polytable.entity.embedded;

import io.polytable.cells.store.CellRecords;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** An instance's records among those of the cell store. */
final class InstanceRecords implements StoreRecords {
    private final CellRecords records;
    private final String prefix;

    InstanceRecords(CellRecords records, String prefix) {
        this.records = records;
        this.prefix = prefix;
    }

    private Bytes key(String key) {
        return Bytes.utf8(prefix + key);
    }

    @Override
    public Optional<Bytes> get(String key) {
        return Failures.translated(() -> records.get(key(key)));
    }

    @Override
    public void put(String key, Bytes value) {
        Failures.translated(() -> {
            records.put(key(key), value);
            return key;
        });
    }

    @Override
    public void remove(String key) {
        Failures.translated(() -> {
            records.remove(key(key));
            return key;
        });
    }

    @Override
    public boolean replace(String key, Optional<Bytes> expected, Bytes value) {
        return Failures.translated(() -> records.replace(key(key), expected, value));
    }

    @Override
    public NavigableMap<String, Bytes> withPrefix(String wanted) {
        NavigableMap<String, Bytes> found = new TreeMap<>();
        Failures.translated(() -> records.withPrefix(key(wanted)))
                .forEach((key, value) -> found.put(key.utf8().substring(prefix.length()), value));
        return found;
    }
}
