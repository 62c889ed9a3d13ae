package io.polytable.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes who waits for any of several logs. Ringing costs next to nothing while nobody waits. */
final class Bell {
    private final AtomicLong rings = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

    void ring() {
        rings.incrementAndGet();
        if (waiting.get() > 0) {
            lock.lock();
            try {
                rung.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** How often it rang: to be asked before looking whether there is something to wait for. */
    long rings() {
        return rings.get();
    }

    /** Waits for another ring than those heard, at most so long. */
    void await(long heard, long nanos) throws InterruptedException {
        lock.lock();
        try {
            waiting.incrementAndGet();
            long left = nanos;
            while (rings.get() == heard && left > 0) {
                left = rung.awaitNanos(left);
            }
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }
}
