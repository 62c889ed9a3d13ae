package io.polytable.store.fluss;

import io.polytable.store.log.LogProgress;
import io.polytable.store.log.RecordBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The queue of batches for Fluss, bounded in bytes: any thread appends, one sends. */
final class SendQueue {
    /** Back-pressure begins here: writers are held back before they commit. */
    private static final long ROOM_BYTES = 64L << 20;

    /** Beyond this a commit is refused, which takes writers that could not wait. */
    private static final long BYTES_MAX = 256L << 20;

    private final LogProgress progress;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Deque<RecordBatch> waiting = new ArrayDeque<>();
    private final AtomicLong bytes = new AtomicLong();
    private boolean woken;
    private boolean closing;

    SendQueue(LogProgress progress) {
        this.progress = progress;
    }

    /** Whether Fluss keeps up. */
    boolean hasRoom() {
        return bytes.get() < ROOM_BYTES;
    }

    /**
     * Refuses at once if too much is unacknowledged. It never waits: its caller holds the lock that every commit and
     * every snapshot needs. A commit of any size is accepted while Fluss keeps up.
     */
    void requireRoom(long more) {
        long unacknowledged = bytes.get();
        if (unacknowledged >= ROOM_BYTES && unacknowledged + more > BYTES_MAX) {
            progress.requireWritable();
            throw FlussFault.noRoom(unacknowledged);
        }
    }

    void append(RecordBatch batch) {
        lock.lock();
        try {
            waiting.addLast(batch);
            bytes.addAndGet(batch.length());
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the sender for work other than batches. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for batches, a wake-up or the timeout; false once the queue is closed and empty. */
    boolean awaitWork(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (waiting.isEmpty() && !woken && !closing && left > 0) {
                left = work.awaitNanos(left);
            }
            woken = false;
            return !closing || !waiting.isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Takes as many batches as fit, at least one if any is queued. */
    List<RecordBatch> take(int bytesMax) {
        List<RecordBatch> batches = new ArrayList<>();
        lock.lock();
        try {
            long size = 0;
            for (RecordBatch next = waiting.peekFirst();
                    next != null && (batches.isEmpty() || size + next.length() <= bytesMax);
                    next = waiting.peekFirst()) {
                batches.add(waiting.removeFirst());
                size += next.length();
            }
            return batches;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the space of acknowledged batches. */
    void acknowledged(List<RecordBatch> batches) {
        lock.lock();
        try {
            bytes.addAndGet(-batches.stream().mapToLong(RecordBatch::length).sum());
        } finally {
            lock.unlock();
        }
    }

    /** Discards everything after the log failed. */
    void abandon() {
        lock.lock();
        try {
            waiting.clear();
            bytes.set(0);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closing = true;
            work.signal();
        } finally {
            lock.unlock();
        }
    }
}
