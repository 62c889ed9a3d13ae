package io.polytable.redis.model.order;

/**
 * How many elements or fences one fence covers. Rows on disk are made with {@link #STANDARD}; tests use smaller limits
 * to get many levels from few elements.
 *
 * @param most a collection up to this size has no fences; a fence that covers more children is split
 */
public record FenceLimits(int most) {
    public static final FenceLimits STANDARD = new FenceLimits(128);

    /** A fence that covers fewer children is merged with its neighbour. */
    int fewest() {
        return most / 4;
    }

    /** What a fence covers when a whole collection is written: leaves slack for inserts and removals. */
    int usual() {
        return most / 2;
    }
}
