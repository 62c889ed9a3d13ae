package io.polytable.redis.model.order;

/**
 * How many elements or fences one fence covers. What is on disk is made with {@link #STANDARD}; tests take smaller ones
 * to get many levels from few elements.
 *
 * @param most a set up to this size has no fences; a fence that covers more children is cut in two
 */
public record FenceLimits(int most) {
    public static final FenceLimits STANDARD = new FenceLimits(128);

    /** A fence that covers fewer children is joined with its neighbour. */
    int fewest() {
        return most / 4;
    }

    /** What a fence covers that is written with a whole set: elements can then come and go for a while. */
    int usual() {
        return most / 2;
    }
}
