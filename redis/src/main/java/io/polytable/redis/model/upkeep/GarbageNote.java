package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.Garbage;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.Map;

/** A garbage row: the id of a removed collection, and where its elements are. */
record GarbageNote(Bytes key, Garbage garbage) {
    /**
     * Decodes the cursor's row.
     *
     * @throws StoreException CORRUPT or NEWER_FORMAT when it does not say where the elements are
     */
    static GarbageNote decode(RedisTables tables, Table table, Cursor row) {
        Garbage garbage = Garbage.decode(row.value());
        // One batch deletes the elements and this row, so both must be in the same partition.
        if (garbage.home() >= tables.partCount()
                || !tables.garbage(garbage.home()).equals(table)) {
            throw new StoreException(
                    StoreError.CORRUPT, "Garbage is in a shard that does not exist", Map.of("shard", garbage.home()));
        }
        return new GarbageNote(row.key(), garbage);
    }

    long id() {
        return Layout.garbageId(key);
    }
}
