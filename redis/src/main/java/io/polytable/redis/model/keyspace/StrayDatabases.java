package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.util.BitSet;

/**
 * Finds physical databases that hold keys although no client can select them and nothing drops them. A single log
 * never leaves any. With several logs, a backup has each partition at its own moment and may hold keys of a database that
 * was created later or was already gone. They must be dropped, or they would reappear when the number is reused.
 */
final class StrayDatabases {
    private StrayDatabases() {}

    static BitSet find(RedisTables tables) {
        BitSet strays = new BitSet(Databases.PHYSICAL_COUNT);
        for (int part = 0; part < tables.partCount(); part++) {
            for (int db = next(tables, part, 0); db >= 0; db = next(tables, part, db + 1)) {
                strays.set(db);
            }
        }
        strays.andNot(tables.databases().dropped());
        for (int database = 0; database < Databases.COUNT; database++) {
            strays.clear(tables.databases().physical(database));
        }
        return strays;
    }

    /** The first database from this one on with keys in the part; -1 for none. */
    private static int next(RedisTables tables, int part, int from) {
        if (from >= Databases.PHYSICAL_COUNT) {
            return -1;
        }
        KeyRange range = KeyRange.between(Layout.database(from), Bytes.EMPTY);
        try (Cursor rows = tables.store().scan(tables.keys(part), range, Direction.FORWARD, 1)) {
            return rows.next() ? rows.key().at(0) & 0xff : -1;
        }
    }
}
