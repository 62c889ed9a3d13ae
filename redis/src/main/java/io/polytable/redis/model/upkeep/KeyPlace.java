package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;

/** The place where a key belongs. */
record KeyPlace(int part, int physical, RowKey row, Bytes key) {
    /** The place of the current key, whose row may be somewhere else. */
    static KeyPlace of(RedisTables tables, KeyRows keys) {
        Bytes key = keys.key();
        int physical = keys.physicalDatabase();
        RowKey row = Layout.key(physical, tables.keyedHash().of(key), key);
        return new KeyPlace(tables.part(key), physical, row, key);
    }
}
