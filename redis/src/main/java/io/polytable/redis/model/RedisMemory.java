package io.polytable.redis.model;

import io.polytable.frontend.limit.Budget;
import io.polytable.frontend.limit.MemoryPlan;

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
    private static final String READS = "redis.reads";
    private static final String INPUT = "redis.input";
    private static final String OUTPUT = "redis.output";
    private static final String PUSH = "redis.push";
    private static final String SUBSCRIPTIONS = "redis.subscriptions";
    private static final String TRACKING = "redis.tracking";
    private static final String FENCES = "redis.fences";
    private static final String LISTS = "redis.lists";
    private static final String SCRIPTS = "redis.scripts";
    private static final String LUA = "redis.lua";
    private static final long LUA_BYTES_MIN = 64 * MB;

    /** The divisor of the machine's memory for what is outside the heap. */
    private static final int MACHINE_DIVISOR = 8;

    /** Adds the shares to a memory plan. */
    public static void plan(MemoryPlan.Builder plan) {
        long heapBytes = plan.heapBytes();
        plan.fixed(FENCES, Math.max(heapBytes / 32, Math.min(16 * MB, heapBytes / 16)))
                .fixed(LISTS, Math.max(MB, Math.min(128 * MB, heapBytes / 64)))
                .borrowing(READS, heapBytes / 6)
                .borrowing(INPUT, heapBytes / 6)
                .borrowing(PUSH, Math.min(32 * MB, heapBytes / 8))
                .borrowing(SUBSCRIPTIONS, heapBytes / 8)
                .borrowing(TRACKING, heapBytes / 8)
                .borrowing(SCRIPTS, Math.min(64 * MB, heapBytes / 16))
                .outside(OUTPUT, heapBytes / 4)
                .outside(LUA, Math.max(LUA_BYTES_MIN, MemoryPlan.machineBytes() / MACHINE_DIVISOR));
    }

    /** The shares of a plan. */
    public static RedisMemory of(MemoryPlan plan) {
        return new RedisMemory(
                plan.budget(READS),
                plan.budget(INPUT),
                plan.budget(OUTPUT),
                plan.budget(PUSH),
                plan.budget(SUBSCRIPTIONS),
                plan.budget(TRACKING),
                plan.budget(FENCES),
                plan.budget(LISTS),
                plan.budget(SCRIPTS),
                plan.budget(LUA));
    }

    /** Fixed sizes, for a program that embeds this protocol without a memory plan. */
    public static RedisMemory standard() {
        return withReads(128 * MB);
    }

    /** As {@link #standard}, with another budget for reads. */
    public static RedisMemory withReads(long readBytes) {
        return new RedisMemory(
                Budget.of(READS, readBytes),
                Budget.of(INPUT, 128 * MB),
                Budget.of(OUTPUT, 256 * MB),
                Budget.of(PUSH, 32 * MB),
                Budget.of(SUBSCRIPTIONS, 64 * MB),
                Budget.of(TRACKING, 64 * MB),
                Budget.of(FENCES, 16 * MB),
                Budget.of(LISTS, 16 * MB),
                Budget.of(SCRIPTS, 16 * MB),
                Budget.of(LUA, 512 * MB));
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
