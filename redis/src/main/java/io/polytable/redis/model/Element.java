package io.polytable.redis.model;

import io.polytable.table.Bytes;

/** A member of a sorted set and its score. */
public record Element(double score, Bytes member) {
    Bytes place() {
        return Places.of(score, member);
    }
}
