package io.polytable.entity.permit;

import io.polytable.entity.model.Permission;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;

/** Records of an instance for one user. What a record's key says decides which permission it takes to change it. */
record GuardedRecords(StoreRecords records, Guard guard) implements StoreRecords {
    @Override
    public Optional<Bytes> get(String key) {
        guard.requireKnown();
        return records.get(key);
    }

    @Override
    public NavigableMap<String, Bytes> withPrefix(String prefix) {
        guard.requireKnown();
        return records.withPrefix(prefix);
    }

    @Override
    public void put(String key, Bytes value) {
        check(key);
        records.put(key, value);
    }

    @Override
    public void remove(String key) {
        check(key);
        records.remove(key);
    }

    @Override
    public boolean replace(String key, Optional<Bytes> expected, Bytes value) {
        check(key);
        return records.replace(key, expected, value);
    }

    private void check(String key) {
        String[] parts = key.split("/", -1);
        switch (parts[0]) {
            // Whoever may write a cell may bring its schema; entries never change.
            case "schema" -> guard.requireKnown();
            case "table", "layout", "note" -> guard.require(Permission.WRITE, Optional.of(parts[1]));
            case "grant" ->
                guard.require(Permission.GRANT, parts[1].equals("t") ? Optional.of(parts[2]) : Optional.empty());
            default -> guard.require(Permission.WRITE, Optional.empty());
        }
    }
}
