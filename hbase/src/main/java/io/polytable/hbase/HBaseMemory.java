package io.polytable.hbase;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.limit.MemoryPlan;

/**
 * The memory that this protocol may use.
 *
 * @param requests requests from arrival to response; decoded calls take a few times as much
 * @param responses unsent responses, which are outside the heap; separate from requests, since responses wait for
 *     clients to read them, and calls must not wait for that
 * @param resultBytes results that calls collect and that scanners read ahead, all together
 */
public record HBaseMemory(Budget requests, Budget responses, long resultBytes) {
    private static final long MB = 1L << 20;
    private static final String REQUESTS = "hbase.requests";
    private static final String RESPONSES = "hbase.responses";
    private static final String RESULTS = "hbase.results";

    /** Adds the shares to a memory plan. */
    static void plan(MemoryPlan.Builder plan) {
        long heapBytes = plan.heapBytes();
        plan.fixed(RESULTS, heapBytes / 16).borrowing(REQUESTS, heapBytes / 8).outside(RESPONSES, heapBytes / 8);
    }

    /** The shares of a plan. */
    static HBaseMemory of(MemoryPlan plan) {
        return new HBaseMemory(
                plan.budget(REQUESTS),
                plan.budget(RESPONSES),
                plan.budget(RESULTS).limitBytes());
    }

    /** Fixed sizes, for a program that embeds this protocol without a memory plan. */
    public static HBaseMemory standard() {
        return new HBaseMemory(Budget.of(REQUESTS, 128 * MB), Budget.of(RESPONSES, 128 * MB), 256 * MB);
    }
}
