package io.polytable.hbase;

import io.polytable.frontend.limit.Budget;

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

    /** Fixed sizes, for a program that embeds this protocol without a memory plan. */
    public static HBaseMemory standard() {
        return new HBaseMemory(Budget.of("hbase.requests", 128 * MB), Budget.of("hbase.responses", 128 * MB), 256 * MB);
    }
}
