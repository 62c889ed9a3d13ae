package io.polytable.redis.model.order;

import io.polytable.table.Bytes;

/** A member of a sorted set and its score. */
public record Element(double score, Bytes member) {
    public Bytes place() {
        return SortKeys.of(score, member);
    }
}
