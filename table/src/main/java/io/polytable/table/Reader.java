package io.polytable.table;

import java.util.List;
import java.util.Optional;

/** A source of reads: the current store, a snapshot of it, or a write set over it. */
public interface Reader {
    Optional<Bytes> read(Table table, RowKey key);

    /** One result for each key, in the order of the keys. */
    default List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        return keys.stream().map(key -> read(table, key)).toList();
    }

    /**
     * The results for the first keys, at least one; for readers with less memory than the values may take. An engine
     * that reads values from disk stops before their total exceeds the given bytes.
     */
    default List<Optional<Bytes>> readMany(Table table, List<RowKey> keys, long bytesMax) {
        return readMany(table, keys);
    }

    /** At most {@code limit} rows; {@link Long#MAX_VALUE} for all. */
    Cursor scan(Table table, KeyRange range, Direction direction, long limit);

    default Cursor scan(Table table, KeyRange range) {
        return scan(table, range, Direction.FORWARD, Long.MAX_VALUE);
    }
}
