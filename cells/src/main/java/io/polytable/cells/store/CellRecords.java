package io.polytable.cells.store;

import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Small records beside the tables, in key order, for what a user of the store must remember: namespaces, states of
 * tables, layouts. Writes are kept when the call returns.
 */
public interface CellRecords {
    Optional<Bytes> get(Bytes key);

    void put(Bytes key, Bytes value);

    void remove(Bytes key);

    /** Replaces the record only if it is still as expected (empty: absent); says whether it did. */
    boolean replace(Bytes key, Optional<Bytes> expected, Bytes value);

    /** All records whose keys start with the prefix. */
    NavigableMap<Bytes, Bytes> withPrefix(Bytes prefix);
}
