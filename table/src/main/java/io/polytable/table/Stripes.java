package io.polytable.table;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks for readers that decide and write: keys hash to stripes, a command holds the stripes of all it touches, taken in
 * ascending order so that two commands never wait for each other in a circle.
 */
public final class Stripes {
    private static final int COUNT = 1024;

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
        java.util.Arrays.sort(stripes);
        for (int stripe : stripes) {
            lock(stripe);
        }
    }

    public void unlockAll(int[] stripes) {
        for (int stripe : stripes) {
            unlock(stripe);
        }
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
