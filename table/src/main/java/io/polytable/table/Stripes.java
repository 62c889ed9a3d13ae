package io.polytable.table;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Striped locks for read-modify-write: keys hash to stripes, and a command holds the stripes of all keys it touches.
 * Stripes are taken in ascending order to avoid deadlocks.
 */
public final class Stripes {
    private static final int COUNT = 1024;

    /** How often a bounded wait checks for cancellation. */
    private static final long LOOK_NANOS = 5_000_000;

    private final ReentrantLock[] locks = new ReentrantLock[COUNT];

    public Stripes() {
        for (int i = 0; i < COUNT; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** The number of stripes, which are numbered from 0. */
    public int count() {
        return COUNT;
    }

    public int stripeOf(Bytes partition) {
        int hash = partition.hashCode() * 0x9E3779B9;
        return (hash ^ (hash >>> 16)) & (COUNT - 1);
    }

    public void lock(int stripe) {
        locks[stripe].lock();
    }

    /** Takes it unless another thread holds it. */
    public boolean tryLock(int stripe) {
        return locks[stripe].tryLock();
    }

    public void unlock(int stripe) {
        locks[stripe].unlock();
    }

    /** Locks all of them; sorts the array in place. A stripe that is named twice is locked twice. */
    public void lockAll(int[] stripes) {
        Arrays.sort(stripes);
        for (int stripe : stripes) {
            lock(stripe);
        }
    }

    /**
     * Locks all of them, or none: returns false after a timeout, a cancellation or an interruption of the thread, which
     * keeps its interrupt flag. Sorts the array in place.
     */
    public boolean tryLockAll(int[] stripes, Duration most, BooleanSupplier cancelled) {
        Arrays.sort(stripes);
        long deadline = System.nanoTime() + most.toNanos();
        for (int taken = 0; taken < stripes.length; taken++) {
            if (!tryLock(locks[stripes[taken]], deadline, cancelled)) {
                unlockFirst(stripes, taken);
                return false;
            }
        }
        return true;
    }

    private static boolean tryLock(ReentrantLock lock, long deadline, BooleanSupplier cancelled) {
        try {
            while (!cancelled.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (lock.tryLock(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
                    return true;
                }
                if (left <= LOOK_NANOS) {
                    return false;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void unlockFirst(int[] stripes, int count) {
        for (int i = 0; i < count; i++) {
            unlock(stripes[i]);
        }
    }

    /** As {@link #tryLockAll}, for all stripes. */
    public boolean tryLockEverything(Duration most, BooleanSupplier cancelled) {
        return tryLockAll(IntStream.range(0, COUNT).toArray(), most, cancelled);
    }

    public void unlockAll(int[] stripes) {
        for (int stripe : stripes) {
            unlock(stripe);
        }
    }

    /** Whether the calling thread holds none. Not fast: for rare checks. */
    public boolean isFree() {
        return Arrays.stream(locks).noneMatch(ReentrantLock::isHeldByCurrentThread);
    }

    /**
     * Locks every stripe, for commands that touch everything (flush, swap of databases, scripts with unknown keys).
     */
    public void lockEverything() {
        for (ReentrantLock lock : locks) {
            lock.lock();
        }
    }

    public void unlockEverything() {
        for (ReentrantLock lock : locks) {
            lock.unlock();
        }
    }
}
