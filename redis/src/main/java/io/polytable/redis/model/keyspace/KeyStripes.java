package io.polytable.redis.model.keyspace;

import io.polytable.table.Bytes;
import io.polytable.table.Stripes;

/**
 * Which stripe guards a Redis key: the one place that says so. The database is not part of it: MOVE and COPY between
 * databases then lock as any other command does, SWAPDB cannot change what a held stripe stands for, and no bytes are
 * joined to find a lock. Two databases with the same key share a stripe, which costs nothing that can be measured.
 */
public final class KeyStripes {
    private final Stripes stripes;

    public KeyStripes(Stripes stripes) {
        this.stripes = stripes;
    }

    public int of(Bytes key) {
        return stripes.stripeOf(key);
    }

    public Stripes stripes() {
        return stripes;
    }
}
