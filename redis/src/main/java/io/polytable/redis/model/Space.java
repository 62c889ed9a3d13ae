package io.polytable.redis.model;

import io.polytable.table.WriteSet;

/**
 * One database seen through one unit of work at one moment: what every method of the model takes first. Reads go
 * through the write set, so that they see what the same command wrote.
 */
public final class Space {
    private final WriteSet work;
    private final int db;
    private final long nowMillis;

    /** The database is the physical one: what stands in the rows' keys. */
    public Space(WriteSet work, int db, long nowMillis) {
        this.work = work;
        this.db = db;
        this.nowMillis = nowMillis;
    }

    public WriteSet work() {
        return work;
    }

    public int db() {
        return db;
    }

    public long nowMillis() {
        return nowMillis;
    }
}
