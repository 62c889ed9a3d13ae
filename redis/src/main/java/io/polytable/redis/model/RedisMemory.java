package io.polytable.redis.model;

import io.polytable.frontend.limit.Budget;

/**
 * The memory that this protocol may use, one budget per purpose.
 *
 * @param reads rows that running commands have read; they become replies, which must fit on the heap
 * @param input requests that are incomplete or not yet executed, and keys that clients watch or wait for
 * @param output replies that clients have not read; they are outside the heap
 * @param push push messages that wait for delivery by their event loops; beyond it, requests are held back
 * @param subscriptions the subscriptions to channels and patterns
 * @param tracking the keys that tracking clients have read
 * @param fences the cached order of sorted sets
 * @param lists the cached elements of lists
 * @param scriptTexts the cached scripts
 * @param scripts the values of running scripts; they are outside the heap
 */
public record RedisMemory(
        Budget reads,
        Budget input,
        Budget output,
        Budget push,
        Budget subscriptions,
        Budget tracking,
        Budget fences,
        Budget lists,
        Budget scriptTexts,
        Budget scripts) {
    private static final long MB = 1L << 20;

    /** Fixed sizes, for a program that embeds this protocol without a memory plan. */
    public static RedisMemory standard() {
        return withReads(128 * MB);
    }

    /** As {@link #standard}, with another budget for reads. */
    public static RedisMemory withReads(long readBytes) {
        return new RedisMemory(
                Budget.of("redis.reads", readBytes),
                Budget.of("redis.input", 128 * MB),
                Budget.of("redis.output", 256 * MB),
                Budget.of("redis.push", 32 * MB),
                Budget.of("redis.subscriptions", 64 * MB),
                Budget.of("redis.tracking", 64 * MB),
                Budget.of("redis.fences", 16 * MB),
                Budget.of("redis.lists", 16 * MB),
                Budget.of("redis.scripts", 16 * MB),
                Budget.of("redis.lua", 512 * MB));
    }

    /**
     * Takes bytes for what a client keeps on the server.
     *
     * @param what begins the error text: what there is no space for
     * @throws RedisError when the budget would be exceeded; then nothing is taken
     */
    public static void takeInput(Budget input, long bytes, String what) {
        if (!input.tryTake(bytes)) {
            throw new RedisError(
                    RedisError.Code.OOM,
                    what + ": all clients together hold more than maxmemory-clients, or the heap, allows");
        }
    }
}
