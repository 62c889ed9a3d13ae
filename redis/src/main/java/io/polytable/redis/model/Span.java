package io.polytable.redis.model;

import io.polytable.table.Bytes;

/** A run of neighbouring elements in one sorted set: what an {@link ElementRange} comes down to. */
sealed interface Span {
    Span NOTHING = new OfRanks(0, 0);

    record OfRanks(long first, long count) implements Span {}

    /** From one place up to another, {@link Places#END} for all that follow. */
    record OfPlaces(Bytes from, Bytes to) implements Span {}
}
