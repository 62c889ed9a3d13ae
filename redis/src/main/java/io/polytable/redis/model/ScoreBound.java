package io.polytable.redis.model;

import io.polytable.table.Bytes;

/** An end of a range of scores. */
public record ScoreBound(double score, boolean exclusive) {
    Bytes asLower() {
        if (score == Double.NEGATIVE_INFINITY && !exclusive) {
            return Places.START;
        }
        return exclusive ? Places.behind(score) : Places.before(score);
    }

    Bytes asUpper() {
        if (score == Double.POSITIVE_INFINITY && !exclusive) {
            return Places.END;
        }
        return exclusive ? Places.before(score) : Places.behind(score);
    }
}
