package io.polytable.entity.store;

import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Small records of an instance in key order: layouts, schemas, properties, annotations. Durable when a call returns.
 */
public interface StoreRecords {
    Optional<Bytes> get(String key);

    void put(String key, Bytes value);

    void remove(String key);

    /**
     * Compare-and-set: replaces the record only if it is still as expected (empty: absent); returns whether it did.
     */
    boolean replace(String key, Optional<Bytes> expected, Bytes value);

    /** All records whose keys start with the prefix. */
    NavigableMap<String, Bytes> withPrefix(String prefix);
}
