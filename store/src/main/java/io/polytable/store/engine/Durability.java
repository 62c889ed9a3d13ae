package io.polytable.store.engine;

import io.polytable.store.log.CommitLog;
import io.polytable.store.log.Threads;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durability watermark and the thread that syncs the log: at once for waiters in mode {@code ALWAYS} (all waiters
 * share one sync), every second otherwise.
 */
final class Durability implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Durability.class);
    private static final long SYNC_INTERVAL_MILLIS = 1000;

    private final DurabilityMode mode;
    private final CommitLog log;
    private final Appender appender;
    private final Failure failure;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wanted = lock.newCondition();
    private final PriorityQueue<Waiter> waiters = new PriorityQueue<>(Comparator.comparingLong(Waiter::position));
    private final Thread thread;
    private volatile Runnable listener = () -> {};
    private volatile int waiterCount;

    private boolean syncWanted;
    private boolean closed;

    private record Waiter(long position, CompletableFuture<Void> future) {}

    Durability(DurabilityMode mode, CommitLog log, Appender appender, Failure failure) {
        this.mode = mode;
        this.log = log;
        this.appender = appender;
        this.failure = failure;
        thread = new Thread(this::run, "polytable-sync");
        thread.setDaemon(true);
        log.onProgress(this::progress);
        failure.onFailure(this::progress);
        thread.start();
    }

    /** Sets the listener for every advance of the watermark and for failure. It must be quick. */
    void onProgress(Runnable told) {
        listener = told;
    }

    /** The highest durable position, by the configured mode. */
    long durable() {
        return mode == DurabilityMode.ALWAYS ? log.synced() : log.acknowledged();
    }

    /**
     * Whether the commit is durable and this process still owns the log, so that what was read up to it may be
     * returned.
     */
    boolean isDurable(long position) {
        return durable() >= position && log.isCurrent();
    }

    /** Called after a flush: a waiter may need a sync of what was written. */
    void flushed() {
        if (mode == DurabilityMode.ALWAYS && log.synced() < log.acknowledged()) {
            lock.lock();
            try {
                syncWanted = true;
                wanted.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    CompletionStage<Void> when(long position) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        lock.lock();
        try {
            waiters.add(new Waiter(position, future));
            waiterCount = waiters.size();
        } finally {
            lock.unlock();
        }
        progress();
        return future;
    }

    private void progress() {
        if (log.failed() && failure.get() == null) {
            failure.set(new StoreException(StoreError.FAILED, "The log failed"));
        }
        listener.run();
        if (waiterCount == 0) {
            return;
        }
        List<Waiter> ready = new ArrayList<>();
        StoreException failed = failure.get();
        long durable = log.isCurrent() ? durable() : Long.MIN_VALUE;
        lock.lock();
        try {
            for (Waiter next = waiters.peek();
                    next != null && (next.position() <= durable || failed != null);
                    next = waiters.peek()) {
                ready.add(waiters.remove());
            }
            waiterCount = waiters.size();
        } finally {
            lock.unlock();
        }
        for (Waiter waiter : ready) {
            if (waiter.position() <= durable) {
                waiter.future().complete(null);
            } else if (failed != null) {
                waiter.future().completeExceptionally(failed);
            }
        }
    }

    private void run() {
        while (awaitWork()) {
            try {
                appender.flush();
                if (mode != DurabilityMode.OS && log.synced() < log.acknowledged()) {
                    log.sync();
                }
            } catch (RuntimeException e) {
                LOG.error("The log cannot be synced; nothing is acknowledged any more", e);
                failure.set(e);
                return;
            } catch (Error e) {
                LOG.error("The thread that syncs the log ends; nothing is acknowledged any more", e);
                failure.threadEnded(thread.getName(), e);
                return;
            }
        }
    }

    private boolean awaitWork() {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(SYNC_INTERVAL_MILLIS);
            while (!syncWanted && !closed && left > 0) {
                left = wanted.awaitNanos(left);
            }
            syncWanted = false;
            return !closed && failure.get() == null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            wanted.signal();
        } finally {
            lock.unlock();
        }
        Threads.join(thread);
        progress();
    }
}
