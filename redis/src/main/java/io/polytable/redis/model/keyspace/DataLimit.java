package io.polytable.redis.model.keyspace;

/**
 * How much data the keys may have, and what happens beyond.
 *
 * @param bytes zero for no limit
 * @param samples how many keys are compared to find one to remove
 * @param frequency how the frequency of use is counted
 */
public record DataLimit(long bytes, EvictionPolicy policy, int samples, Frequency frequency) {
    public static final DataLimit NONE = new DataLimit(0, EvictionPolicy.NOEVICTION, 5, new Frequency(10, 1));

    /**
     * The rule of the counter of uses.
     *
     * @param logFactor the larger, the more uses the counter's maximum stands for
     * @param decayMinutes after how long without use the counter loses one; zero for never
     */
    public record Frequency(int logFactor, int decayMinutes) {}

    /** Beyond the limit by this much, writers wait for the eviction. */
    long slackBytes() {
        return Math.max(64 << 10, bytes / 16);
    }
}
