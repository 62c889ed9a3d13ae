package io.polytable.table;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Locks for readers that decide and write: keys hash to stripes, a command holds the stripes of all it touches, taken in
 * ascending order so that two commands never wait for each other in a circle.
 */
public final class Stripes {
    private static final int COUNT = 1024;

    /** So often a bounded wait asks whether it was cancelled. */
    private static final long LOOK_NANOS = 5_000_000;

    private final ReentrantLock[] locks = new ReentrantLock[COUNT];

    public Stripes() {
        for (int i = 0; i < COUNT; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** How many there are: each is a number below this. */
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

    public void unlock(int stripe) {
        locks[stripe].unlock();
    }

    /** Takes all of them; the array is sorted in place. A stripe named twice is taken twice. */
    public void lockAll(int[] stripes) {
        Arrays.sort(stripes);
        for (int stripe : stripes) {
            lock(stripe);
        }
    }

    /**
     * Takes all of them, or none: answers false when the time is over, when the wait was cancelled, or when the thread is
     * interrupted, which it then still is. The array is sorted in place.
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

    /** As {@link #tryLockAll}, for every stripe there is. */
    public boolean tryLockEverything(Duration most, BooleanSupplier cancelled) {
        return tryLockAll(IntStream.range(0, COUNT).toArray(), most, cancelled);
    }

    public void unlockAll(int[] stripes) {
        for (int stripe : stripes) {
            unlock(stripe);
        }
    }

    /** Whether the calling thread holds none. Not quick: for rare looks. */
    public boolean isFree() {
        return Arrays.stream(locks).noneMatch(ReentrantLock::isHeldByCurrentThread);
    }

    /** Takes every stripe: for what touches everything (flush, swap of databases, scripts with unknown keys). */
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
