package io.polytable.redis.model.zset;

import io.polytable.redis.model.order.SortKeys;
import io.polytable.table.Bytes;

/** A run of neighbouring elements of one sorted set: an {@link ElementRange} resolved in it. */
sealed interface ElementRun {
    ElementRun NOTHING = new OfRanks(0, 0);

    record OfRanks(long first, long count) implements ElementRun {}

    /** From one place (inclusive) to another (exclusive, {@link SortKeys#END} for all that follow). */
    record OfPlaces(Bytes from, Bytes to) implements ElementRun {}
}
