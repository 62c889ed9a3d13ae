package io.polytable.redis.model.keyspace;

import io.polytable.table.Bytes;
import io.polytable.table.Stripes;

/**
 * The mapping from a Redis key to the stripe that guards it; the only place that defines it. The database is not part
 * of it: MOVE and COPY between databases then lock as any other command does, SWAPDB cannot change what a held stripe
 * stands for, and finding a lock joins no bytes. Two databases with the same key share a stripe, at no measurable
 * cost.
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
