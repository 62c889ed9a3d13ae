package io.polytable.store.feed;

import io.polytable.store.log.Threads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The feeds that wait for changes, by table, and the thread that decodes the tail for them. A commit wakes only feeds
 * of tables that it touches. All methods but {@link #signal} under the feeds' lock.
 */
final class FeedWaiters {
    private static final Logger LOG = LoggerFactory.getLogger(FeedWaiters.class);

    private final ReentrantLock lock;
    private final Runnable catchUp;
    private final Consumer<Throwable> broken;
    private final Map<Integer, Set<TailFeed>> byTable = new HashMap<>();
    private final Set<TailFeed> all = new HashSet<>();
    private List<Runnable> ready = new ArrayList<>();
    private volatile int count;
    private final AtomicBoolean signalled = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;

    FeedWaiters(ReentrantLock lock, Runnable catchUp, Consumer<Throwable> broken) {
        this.lock = lock;
        this.catchUp = catchUp;
        this.broken = broken;
    }

    /** Waits until the feed is woken, at most that long. May return early: the caller looks again. */
    void await(TailFeed feed, long nanos, BooleanSupplier isReady) throws InterruptedException {
        Condition condition = lock.newCondition();
        feed.awaited = condition;
        try {
            boolean isWaiting = true;
            for (long left = nanos; isWaiting && left > 0; ) {
                // Register before checking: then nothing that happens after the check is missed. The check decodes
                // commits, and one of them may wake this very feed. It is then no longer registered and must not wait:
                // the commit may be one for it that the tail could not hold, and a signal since then was for nobody.
                add(feed);
                isWaiting = !isReady.getAsBoolean() && all.contains(feed);
                left = isWaiting ? condition.awaitNanos(left) : left;
            }
        } finally {
            feed.awaited = null;
            remove(feed);
        }
    }

    void call(TailFeed feed, Runnable action, BooleanSupplier isReady) {
        feed.onReady = action;
        add(feed);
        if (isReady.getAsBoolean()) {
            wake(feed);
        }
    }

    private void add(TailFeed feed) {
        if (all.add(feed)) {
            feed.tables()
                    .keySet()
                    .forEach(id -> byTable.computeIfAbsent(id, table -> new HashSet<>())
                            .add(feed));
            count = all.size();
            start();
        }
    }

    void remove(TailFeed feed) {
        if (all.remove(feed)) {
            feed.tables().keySet().forEach(id -> {
                Set<TailFeed> feeds = byTable.getOrDefault(id, new HashSet<>());
                feeds.remove(feed);
                if (feeds.isEmpty()) {
                    byTable.remove(id);
                }
            });
            count = all.size();
        }
    }

    /** Wakes the feeds of a table that a commit touched. */
    void wake(int table) {
        Set<TailFeed> feeds = byTable.get(table);
        if (feeds != null) {
            List.copyOf(feeds).forEach(this::wake);
        }
    }

    void wakeAll() {
        List.copyOf(all).forEach(this::wake);
    }

    private void wake(TailFeed feed) {
        remove(feed);
        Condition condition = feed.awaited;
        if (condition != null) {
            condition.signalAll();
        }
        Runnable action = feed.onReady;
        if (action != null) {
            feed.onReady = null;
            ready.add(action);
        }
    }

    /** Actions of woken feeds, to be run without the lock. */
    List<Runnable> takeReady() {
        if (ready.isEmpty() || lock.getHoldCount() > 1) {
            return List.of();
        }
        List<Runnable> taken = ready;
        ready = new ArrayList<>();
        return taken;
    }

    void signal() {
        if (count > 0 && signalled.compareAndSet(false, true)) {
            LockSupport.unpark(thread);
        }
    }

    private void start() {
        if (thread == null && !stopped) {
            Thread started = new Thread(this::run, "polytable-feed");
            started.setDaemon(true);
            thread = started;
            started.start();
        }
    }

    private void run() {
        try {
            while (!stopped) {
                if (signalled.compareAndSet(true, false)) {
                    catchUp.run();
                } else {
                    LockSupport.park(this);
                }
            }
        } catch (RuntimeException e) {
            LOG.warn("Changes cannot be read from the log; their consumers are notified", e);
            wakeAllAndForget();
        } catch (Error e) {
            LOG.error("The thread that wakes change feeds ends", e);
            broken.accept(e);
            wakeAllAndForget();
        }
    }

    /** Wakes all feeds and forgets the thread: the next waiting feed starts another. */
    private void wakeAllAndForget() {
        List<Runnable> actions = new ArrayList<>();
        lock.lock();
        try {
            thread = null;
            wakeAll();
            actions.addAll(takeReady());
        } finally {
            lock.unlock();
        }
        run(actions);
    }

    /** An action that fails must not affect the others. */
    static void run(List<Runnable> actions) {
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.warn("A follower of changes could not be notified", e);
            }
        }
    }

    /** Without the lock. */
    void close() {
        stopped = true;
        Thread started = thread;
        if (started != null) {
            LockSupport.unpark(started);
            Threads.join(started);
        }
    }
}
