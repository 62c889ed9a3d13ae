package io.polytable.redis.model.zset;

import io.polytable.table.Direction;

/**
 * What to take of a range of elements, and in which order.
 *
 * @param offset how many to skip first; negative: all
 * @param limit how many to take; negative: all that are left
 */
public record Selection(ElementRange range, Direction direction, long offset, long limit) {
    /** The whole range. */
    public static Selection all(ElementRange range, Direction direction) {
        return new Selection(range, direction, 0, -1);
    }

    long limitOrAll() {
        return limit < 0 ? Long.MAX_VALUE : limit;
    }
}
