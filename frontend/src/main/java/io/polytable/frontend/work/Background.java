package io.polytable.frontend.work;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A named thread for work that no client waits for: periodic tasks, and tasks that are due now. They run one at a time.
 *
 * <p>A periodic task that fails is logged, counted and run again. Each further failure doubles its pause, up to {@link
 * #PAUSE_MAX}; a success restores it. A task that the store ends, because it is closed or has failed for good, is not run
 * again: the store's owner reopens both.
 *
 * <p>{@link #close} starts no further task. It waits for the running one, interrupts it when its time is up, and returns
 * even if it does not end. Thread safe.
 */
public final class Background implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Background.class);

    /** The longest pause after failures, unless the usual pause is longer. */
    static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    private static final Duration INTERRUPTED_MAX = Duration.ofSeconds(10);

    /** Of this process, by thread. */
    private static final Map<String, LongAdder> FAILURES = new ConcurrentHashMap<>();

    private final String name;
    private final Duration patience;
    private final ScheduledThreadPoolExecutor thread;
    private final LongAdder failures;
    private volatile boolean closing;

    /**
     * Starts no thread before the first task.
     *
     * @param name the thread's name, by which failures are counted
     * @param patience how long {@link #close} waits before it interrupts the running task
     */
    public Background(String name, Duration patience) {
        this.name = name;
        this.patience = patience;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, name);
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        failures = failures(name);
    }

    static LongAdder failures(String name) {
        return FAILURES.computeIfAbsent(name, key -> new LongAdder());
    }

    /** Failed tasks since the process started, by the name of their thread. */
    public static Map<String, Long> failures() {
        Map<String, Long> all = new TreeMap<>();
        FAILURES.forEach((name, count) -> all.put(name, count.sum()));
        return all;
    }

    /** Runs a task after each pause, first at once. */
    public void every(Duration pause, Runnable task) {
        schedule(new Periodic(pause, task), Duration.ZERO);
    }

    /** Runs a task after each pause, first after one. */
    public void after(Duration pause, Runnable task) {
        schedule(new Periodic(pause, task), pause);
    }

    /** Runs a task once, as soon as those before it are done. False if this is closed. */
    public boolean now(Runnable task) {
        try {
            thread.execute(() -> succeeds(task));
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** A task that is due later. */
    public interface Due {
        /** Drops the task, unless it runs or ran already. */
        void cancel();
    }

    /** Runs a task once, after the pause; not at all if this is closed by then. */
    public Due once(Duration pause, Runnable task) {
        try {
            Future<?> due = thread.schedule(() -> succeeds(task), pause.toNanos(), TimeUnit.NANOSECONDS);
            return () -> due.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    /** Whether a running task should end early. */
    public boolean isClosing() {
        return closing;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a task catches everything
    private void schedule(Runnable task, Duration pause) {
        try {
            thread.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("{} is closed", name);
        }
    }

    private enum Outcome {
        DONE,
        FAILED,
        OVER
    }

    private Outcome succeeds(Runnable task) {
        if (closing) {
            return Outcome.OVER;
        }
        try {
            task.run();
            return Outcome.DONE;
        } catch (StoreException failed) {
            failures.increment();
            boolean over = failed.error() == StoreError.CLOSED || failed.error() == StoreError.FAILED;
            if (!closing) {
                LOG.warn("{} could not continue in the store; {}", name, over ? "it ends" : "it tries again", failed);
            }
            return over ? Outcome.OVER : Outcome.FAILED;
        } catch (RuntimeException | Error mistake) {
            // What the task was about to commit is whole or absent; where that is unknown the store has failed, and the
            // next run learns so.
            failures.increment();
            LOG.error("{} failed; it tries again", name, mistake);
            return Outcome.FAILED;
        }
    }

    private final class Periodic implements Runnable {
        private final Duration usual;
        private final Runnable task;
        private Duration pause;

        Periodic(Duration usual, Runnable task) {
            this.usual = usual;
            this.task = task;
            pause = usual;
        }

        @Override
        public void run() {
            switch (succeeds(task)) {
                case DONE -> pause = usual;
                case FAILED -> {
                    Duration most = usual.compareTo(PAUSE_MAX) > 0 ? usual : PAUSE_MAX;
                    Duration doubled = pause.multipliedBy(2);
                    pause = doubled.compareTo(most) > 0 ? most : doubled;
                }
                case OVER -> {
                    return;
                }
            }
            schedule(this, pause);
        }
    }

    @Override
    public void close() {
        closing = true;
        thread.shutdown();
        try {
            if (thread.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            thread.shutdownNow();
            if (!thread.awaitTermination(INTERRUPTED_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("{} did not end within {}", name, patience.plus(INTERRUPTED_MAX));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
