package io.polytable.redis.model.zset;

import io.polytable.redis.model.order.SortKeys;
import io.polytable.table.Bytes;

/** An end of a range of scores. */
public record ScoreBound(double score, boolean exclusive) {
    Bytes asLower() {
        if (score == Double.NEGATIVE_INFINITY && !exclusive) {
            return SortKeys.START;
        }
        return exclusive ? SortKeys.behind(score) : SortKeys.before(score);
    }

    Bytes asUpper() {
        if (score == Double.POSITIVE_INFINITY && !exclusive) {
            return SortKeys.END;
        }
        return exclusive ? SortKeys.before(score) : SortKeys.behind(score);
    }
}
