package io.polytable.redis.model;

import io.polytable.table.WriteSet;

/** From the database a client selected to the {@link Space} its command works in. */
public interface Spaces {
    /** How many databases a client may select. */
    int count();

    /**
     * Called with the command's stripes held, so the answer stays right until they are let go: a swap of databases
     * holds all of them.
     */
    Space at(WriteSet work, int database, long nowMillis);
}
