package io.polytable.redis.model;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.RowKey;
import io.polytable.table.Stripes;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes keys whose deadline has passed, oldest first. Reads hide them without this; it gives back their space. A
 * removal is a write as any other: under the key's stripe, after another look at the header.
 */
final class Expirer {
    private final RedisTables tables;
    private final UnitOfWork unit;

    Expirer(RedisTables tables, KeyCounts counts) {
        this.tables = tables;
        this.unit = new UnitOfWork(tables, counts);
    }

    /** Removes up to so many keys; answers how many were due. */
    int step(long nowMillis, int max) {
        List<Bytes> due = due(nowMillis, max);
        for (Bytes row : due) {
            remove(row, nowMillis);
        }
        return due.size();
    }

    private List<Bytes> due(long nowMillis, int max) {
        List<Bytes> due = new ArrayList<>();
        try (Cursor rows =
                tables.store().scan(tables.expiries(), Layout.expiriesBefore(nowMillis), Direction.FORWARD, max)) {
            while (rows.next()) {
                due.add(rows.key());
            }
        }
        return due;
    }

    private void remove(Bytes row, long nowMillis) {
        Bytes key = Layout.expiringKey(row);
        Stripes stripes = tables.store().stripes();
        int stripe = new KeyStripes(stripes).of(key);
        stripes.lock(stripe);
        try {
            unit.begin(nowMillis, true);
            int database = unit.databases().database(Layout.expiringDatabase(row));
            if (database >= 0) {
                // A unit that writes removes the expired keys it meets.
                unit.space(database).header(key);
            }
            if (unit.isEmpty()) {
                // The key is gone or has another deadline: only the row is left to remove.
                unit.writes().delete(tables.expiries(), new RowKey(row, 1));
            }
            unit.commit();
        } finally {
            unit.abandon();
            stripes.unlock(stripe);
        }
    }
}
