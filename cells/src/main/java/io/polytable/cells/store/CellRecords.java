package io.polytable.cells.store;

import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * A small key-value store beside the tables, for the metadata of the store's users: namespaces, table states, layouts.
 * Writes are durable when the call returns.
 */
public interface CellRecords {
    Optional<Bytes> get(Bytes key);

    void put(Bytes key, Bytes value);

    void remove(Bytes key);

    /**
     * Compare-and-set: replaces the record if it equals the expected one (empty: absent), and returns whether it did.
     */
    boolean replace(Bytes key, Optional<Bytes> expected, Bytes value);

    /** All records whose keys start with the prefix. */
    NavigableMap<Bytes, Bytes> withPrefix(Bytes prefix);
}
