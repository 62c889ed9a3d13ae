package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.KeyStripes;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.row.DeadlineQueue;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Stripes;
import io.polytable.table.Table;

/**
 * Removes keys whose deadline has passed, in deadline order. Readers hide them anyway; this returns their space. A
 * removal is an ordinary write: under the key's stripe, after reading the header again.
 *
 * <p>A key whose header cannot be decoded stays with its deadline, for the repair. It is tried again with the others,
 * since the header may be repaired, but takes no place among them.
 */
final class Expirer {
    private final RedisTables tables;
    private final Table expiries;
    private final UnitOfWork unit;
    private final DeadlineQueue queue;
    private final DamagedRows damaged = new DamagedRows();

    /** @param expiries the deadlines of one partition */
    Expirer(Keyspace keyspace, Table expiries) {
        this.tables = keyspace.tables();
        this.expiries = expiries;
        this.unit = keyspace.newUnit();
        this.queue = new DeadlineQueue(tables.store(), expiries);
    }

    /** Removes up to {@code max} keys, besides damaged ones that were repaired; returns how many. */
    int step(long nowMillis, int max) {
        int removed = 0;
        for (Bytes entry : queue.due(nowMillis, max + damaged.size())) {
            removed += removeUnlessDamaged(entry, nowMillis) ? 1 : 0;
        }
        queue.removed();
        return removed;
    }

    private boolean removeUnlessDamaged(Bytes row, long nowMillis) {
        try {
            remove(row, nowMillis);
            damaged.remove(row);
            return true;
        } catch (StoreException failed) {
            if (!DamagedRows.isDamage(failed)) {
                throw failed;
            }
            damaged.add(expiries, row, failed);
            return false;
        }
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
            unit.release();
            stripes.unlock(stripe);
        }
    }
}
