package io.polytable.table;

import java.util.List;
import java.util.Optional;

/** What can be read from: the store as it is now, a snapshot of it, or a write set over it. */
public interface Reader {
    Optional<Bytes> read(Table table, RowKey key);

    /** One answer for each key, in the order asked. */
    default List<Optional<Bytes>> readMany(Table table, List<RowKey> keys) {
        return keys.stream().map(key -> read(table, key)).toList();
    }

    /**
     * The answers to the first keys, to one at least: for readers whose memory is less than the values can be. An engine that
     * has its values on disk stops before their bytes are more than that.
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
