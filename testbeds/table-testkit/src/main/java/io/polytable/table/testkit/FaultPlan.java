package io.polytable.table.testkit;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * The calls at which a {@link FaultyStore} fails. Calls are counted from one over the life of the plan, which may span
 * several stores and so restarts. Only the number of the call matters: the same plan over the same calls fails at the
 * same points.
 */
public final class FaultPlan {
    private final LongPredicate fails;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong faults = new AtomicLong();

    private FaultPlan(LongPredicate fails) {
        this.fails = fails;
    }

    /** Never fails: for counting calls. */
    public static FaultPlan none() {
        return new FaultPlan(call -> false);
    }

    /** Fails once, at the n-th call. */
    public static FaultPlan at(long n) {
        return new FaultPlan(call -> call == n);
    }

    /** Fails about once in so many calls. */
    public static FaultPlan seeded(long seed, int oneIn) {
        return new FaultPlan(call -> new SplittableRandom(seed * 1_000_003 + call).nextInt(oneIn) == 0);
    }

    /** Counts a call, and throws if it is one that fails. */
    void call(String name, StoreError error) {
        long number = calls.incrementAndGet();
        if (fails.test(number)) {
            faults.incrementAndGet();
            throw new StoreException(error, "A planned fault", Map.of("call", number, "of", name));
        }
    }

    public long calls() {
        return calls.get();
    }

    public long faults() {
        return faults.get();
    }
}
