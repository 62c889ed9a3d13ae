package io.polytable.frontend.limit;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one purpose may hold at a time.
 *
 * <p>A budget has a limit. It may have a floor that nobody else can use up, and a pool from which it borrows what it
 * holds above the floor: so budgets that are rarely full at the same time can each have a high limit, while their sum
 * stays below the heap.
 *
 * <p>Counting is exact without a lock. Every change moves the held bytes from one value to another in one atomic step,
 * and moves the pool by the difference of what lies above the floor at these two values. The steps of all threads form
 * a chain, so the pool always ends at the sum of what its budgets hold above their floors.
 */
public final class Budget {
    private final String name;
    private final long plannedBytes;
    private final long floorBytes;
    private final @Nullable Pool pool;
    private final AtomicLong held = new AtomicLong();
    private volatile long limitBytes;

    private Budget(String name, long plannedBytes, long floorBytes, @Nullable Pool pool) {
        this.name = name;
        this.plannedBytes = plannedBytes;
        this.floorBytes = floorBytes;
        this.pool = pool;
        this.limitBytes = plannedBytes;
    }

    /** A budget that borrows from nobody. */
    public static Budget of(String name, long bytes) {
        return new Budget(name, bytes, bytes, null);
    }

    static Budget borrowing(String name, long bytes, long floorBytes, Pool pool) {
        return new Budget(name, bytes, Math.min(floorBytes, bytes), pool);
    }

    /** A budget inside this one, for one of its users; the user takes from both. */
    public Budget part(int divisor) {
        return of(name, Math.max(1, plannedBytes / divisor));
    }

    /** Takes the bytes if the limit and the pool allow it; otherwise takes nothing and returns false. */
    public boolean tryTake(long bytes) {
        long now = held.addAndGet(bytes);
        boolean lent = borrow(now - bytes, now);
        if (lent && now <= limitBytes) {
            return true;
        }
        release(bytes);
        return false;
    }

    /**
     * Takes the bytes unless the limit is exceeded already: so even something larger than the budget gets its turn,
     * alone.
     */
    public boolean takeUnlessFull(long bytes) {
        long before = held.getAndAdd(bytes);
        borrow(before, before + bytes);
        boolean lendable = pool == null || !pool.isExceededWithout(above(before + bytes) - above(before));
        if (lendable && before <= limitBytes) {
            return true;
        }
        release(bytes);
        return false;
    }

    /** Takes bytes that are allocated already, beyond the limit if need be. */
    public void take(long bytes) {
        long now = held.addAndGet(bytes);
        borrow(now - bytes, now);
    }

    /** Gives back bytes that were taken. */
    public void release(long bytes) {
        long now = held.addAndGet(-bytes);
        if (pool != null) {
            pool.lent.addAndGet(above(now) - above(now + bytes));
        }
    }

    /** Whether more than the limit is held. */
    public boolean isFull() {
        return held.get() > limitBytes || (pool != null && pool.isExceededWithout(0) && above(held.get()) > 0);
    }

    /** Whether more than half of the limit is held. */
    public boolean isScarce() {
        return held.get() > limitBytes / 2;
    }

    /** Lowers the limit, or raises it again to at most what the plan assigned. */
    public void limit(long bytes) {
        limitBytes = Math.min(plannedBytes, bytes);
    }

    public String name() {
        return name;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long heldBytes() {
        return held.get();
    }

    /** The limit that the plan assigned. */
    public long plannedBytes() {
        return plannedBytes;
    }

    /** What is left below the limit and in the pool; negative after {@link #take} went beyond it. */
    public long leftBytes() {
        long now = held.get();
        long own = limitBytes - now;
        return pool == null ? own : Math.min(own, Math.max(0, floorBytes - now) + pool.leftBytes());
    }

    long floorBytes() {
        return floorBytes;
    }

    private long above(long bytes) {
        return Math.max(0, bytes - floorBytes);
    }

    /**
     * Moves the pool by one step of the held bytes. Returns whether the pool allows it; a step that it does not allow is
     * counted all the same, and taking the bytes back gives it back.
     */
    private boolean borrow(long before, long after) {
        long wanted = above(after) - above(before);
        return pool == null || wanted == 0 || pool.lent.addAndGet(wanted) <= pool.bytesMax;
    }

    /** What several budgets hold above their floors, all together. */
    static final class Pool {
        private final long bytesMax;
        private final AtomicLong lent = new AtomicLong();

        Pool(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        long bytesMax() {
            return bytesMax;
        }

        long lentBytes() {
            return lent.get();
        }

        private long leftBytes() {
            return bytesMax - lent.get();
        }

        private boolean isExceededWithout(long bytes) {
            return lent.get() - bytes > bytesMax;
        }
    }
}
