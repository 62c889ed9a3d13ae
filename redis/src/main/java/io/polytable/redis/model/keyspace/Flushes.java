package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.Change;
import io.polytable.table.Bytes;
import java.util.List;

/** Operations on whole databases. The caller holds all stripes. */
public final class Flushes {
    /** Up to this many keys are removed one by one: a fresh physical database would cost more. */
    private static final int REMOVED_SINGLY_MAX = 1000;

    private final KeyWalk walk = new KeyWalk();

    /** Empties the space's database. */
    public void flush(Space space) {
        UnitOfWork unit = space.unit();
        // Redis publishes no event per key, and listeners do not want so many.
        int before = unit.changes().mark();
        empty(space, unit);
        unit.changes().rollBackTo(before);
        unit.changes().add(new Change.Flushed(space.database()));
    }

    private void empty(Space space, UnitOfWork unit) {
        // Keys of several partitions cannot be removed in one commit.
        boolean singly = unit.tables().partitions() == 1;
        if (unit.mayHaveMoreKeysThan(space.physicalDatabase(), singly ? REMOVED_SINGLY_MAX : 0)
                && unit.databases().hasSpare()) {
            unit.changeDatabases(unit.databases().flush(space.database()));
        } else if (!singly && !unit.databases().hasSpare()) {
            throw new RedisError("the databases flushed before are still being removed, try again");
        } else if (singly) {
            List<Bytes> keys = walk.stored(space);
            space.removeAll(keys);
        }
    }

    /** Empties all databases. */
    public void flushAll(Space space) {
        for (int database = 0; database < Databases.COUNT; database++) {
            flush(space.unit().space(database));
        }
    }

    /** Exchanges two databases: clients of one see the keys of the other from now on. */
    public void swap(Space space, int one, int other) {
        if (one != other) {
            UnitOfWork unit = space.unit();
            unit.changeDatabases(unit.databases().swap(one, other));
            unit.changes().add(new Change.Swapped(one, other));
        }
    }
}
