package io.polytable.cells.store;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.store.definition.Definitions;
import io.polytable.cells.store.definition.Definitions.Section;
import io.polytable.cells.store.definition.StoreFailures;
import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * A small key-value store beside the tables, for the metadata of the store's users: namespaces, table states, layouts.
 * Writes are durable when the call returns.
 */
public final class CellRecords {
    private final Definitions definitions;

    CellRecords(Definitions definitions) {
        this.definitions = definitions;
    }

    public Optional<Bytes> get(Bytes key) {
        return StoreFailures.translated(() -> definitions.read(Section.RECORD, key));
    }

    public synchronized void put(Bytes key, Bytes value) {
        if (key.isEmpty() || key.length() > CellLimits.ROW_BYTES_MAX || value.length() > CellLimits.VALUE_BYTES_MAX) {
            throw new CellException(CellError.TOO_LARGE, "A record's key or value has no acceptable size");
        }
        StoreFailures.run(() -> definitions.put(Section.RECORD, key, value));
    }

    public synchronized void remove(Bytes key) {
        StoreFailures.run(() -> definitions.remove(Section.RECORD, key));
    }

    /**
     * Compare-and-set: replaces the record if it equals the expected one (empty: absent), and returns whether it did.
     */
    public synchronized boolean replace(Bytes key, Optional<Bytes> expected, Bytes value) {
        if (!get(key).equals(expected)) {
            return false;
        }
        put(key, value);
        return true;
    }

    /** All records whose keys start with the prefix. */
    public NavigableMap<Bytes, Bytes> withPrefix(Bytes prefix) {
        return StoreFailures.translated(() -> definitions.all(Section.RECORD, prefix));
    }
}
