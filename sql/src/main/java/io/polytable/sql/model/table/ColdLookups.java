package io.polytable.sql.model.table;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.table.Bytes;
import io.polytable.table.TableStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Flushed rows that were looked up while no lock was held, for a step under locks: the step must not wait for a
 * storage. A row is valid as long as the segments that may hold it are the same. A step that misses a row ends without
 * effect, the caller releases the locks and calls {@link #fetch}, and the step runs again.
 */
public final class ColdLookups {
    private final TableStore store;
    private final Map<Place, Found> found = new HashMap<>();
    private final Map<Place, SqlTable> missing = new LinkedHashMap<>();

    private record Place(int table, Bytes key) {}

    private record Found(Object version, Optional<StoredRow> row) {}

    public ColdLookups(TableStore store) {
        this.store = store;
    }

    /** Whether the flushed row of the key is known, or known to be absent. If not, {@link #fetch} looks it up. */
    public boolean knows(SqlTable table, Bytes key) {
        Place place = new Place(table.table().id(), key);
        Found known = found.get(place);
        if (known != null && known.version().equals(table.cold().version(store, table, key))) {
            return true;
        }
        missing.put(place, table);
        return false;
    }

    /** The newest flushed row of a key that is known, tombstones included. */
    public Optional<StoredRow> row(SqlTable table, Bytes key) {
        return Optional.ofNullable(found.get(new Place(table.table().id(), key)))
                .orElseThrow(() -> new IllegalStateException("A row is used that was not looked up"))
                .row();
    }

    public boolean isMissingAny() {
        return !missing.isEmpty();
    }

    /** Looks up the rows that were missing. May wait for storages, so the caller holds no locks. */
    public void fetch() {
        missing.forEach((place, table) -> {
            // The version first: if the segments change in between, the row is looked up again.
            Object version = table.cold().version(store, table, place.key());
            found.put(place, new Found(version, table.cold().find(store, table, place.key())));
        });
        missing.clear();
    }
}
