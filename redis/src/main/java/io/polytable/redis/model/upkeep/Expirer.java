package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Stripes;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes keys whose deadline has passed, in deadline order. Readers hide them anyway; this returns their space. A
 * removal is an ordinary write: under the key's stripe, after reading the header again.
 */
final class Expirer {
    /** How far a command's clock may lag behind this one's. */
    private static final long LAG_MILLIS_MAX = 60_000;

    /** After so many steps everything is looked through again, as clocks can be set back. */
    private static final int STEPS_FROM_WHERE_IT_WAS = 1000;

    private final RedisTables tables;
    private final Table expiries;
    private final UnitOfWork unit;

    // Where the last step came to. What is deleted at the start of the queue still costs whoever walks over it, until
    // the engine has cleaned up: so a step does not begin at the start.
    private long doneMillis;
    private int steps;

    /** @param expiries those of one group */
    Expirer(Keyspace keyspace, Table expiries) {
        this.tables = keyspace.tables();
        this.expiries = expiries;
        this.unit = keyspace.newUnit();
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
        boolean again = ++steps % STEPS_FROM_WHERE_IT_WAS == 0;
        long fromMillis = again ? 0 : Math.max(0, doneMillis - LAG_MILLIS_MAX);
        List<Bytes> due = new ArrayList<>();
        KeyRange range = Layout.expiriesBetween(Math.min(fromMillis, nowMillis), nowMillis);
        try (Cursor rows = tables.store().scan(expiries, range, Direction.FORWARD, max)) {
            while (rows.next()) {
                due.add(rows.key());
            }
        }
        doneMillis = due.size() < max ? nowMillis : Layout.deadline(due.get(due.size() - 1));
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
                unit.writes().delete(expiries, new RowKey(row, 1));
            }
            unit.commit();
        } finally {
            unit.abandon();
            stripes.unlock(stripe);
        }
    }
}
