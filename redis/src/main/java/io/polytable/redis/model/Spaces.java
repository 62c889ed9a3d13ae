package io.polytable.redis.model;

import io.polytable.table.Commit;
import io.polytable.table.WriteSet;

/** From the database a client selected to the {@link Space} its command works in, and back when the work is done. */
public interface Spaces {
    /** How many databases a client may select. */
    int count();

    /**
     * Called with the command's stripes held, so the answer stays right until they are let go: a swap of databases
     * holds all of them.
     */
    Space at(WriteSet work, int database, long nowMillis);

    /** Commits what the space's work holds, and then counts what came and went. */
    default Commit commit(Space space) {
        return space.work().commit();
    }

    /** Forgets what the space's work holds: the command failed. */
    default void abandon(Space space) {
        space.work().clear();
    }
}
