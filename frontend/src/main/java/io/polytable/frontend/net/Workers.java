package io.polytable.frontend.net;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for what an event loop must not do: work that blocks or takes long. Their number and the queue before them are
 * bounded, for each protocol on its own, so that one that is busy does not hold up another. Threads start on demand and
 * end when idle.
 */
public final class Workers implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    /**
     * The stack of threads that run statements: DuckDB plans recursively, and an overflow in native code ends the
     * process. Only what is used of it takes memory.
     */
    public static final long DEEP_STACK = 64L << 20;

    private static final long IDLE_SECONDS = 30;
    private static final long DEFAULT_STACK = 0;

    private final String name;
    private final long closeSecondsMax;
    private final ThreadPoolExecutor threads;
    private final AtomicInteger numbers = new AtomicInteger();

    /**
     * Creates workers; no thread starts yet.
     *
     * @param closeSecondsMax how long running work may take after the start of {@link #close}; then it is interrupted
     */
    public Workers(String name, int threads, int waitingMax, long closeSecondsMax) {
        this(name, threads, waitingMax, closeSecondsMax, DEFAULT_STACK);
    }

    /** @param stackBytes the size of each thread's stack */
    public Workers(String name, int threads, int waitingMax, long closeSecondsMax, long stackBytes) {
        this.name = name;
        this.closeSecondsMax = closeSecondsMax;
        this.threads = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(waitingMax),
                task -> thread(task, stackBytes));
        this.threads.allowCoreThreadTimeOut(true);
    }

    private Thread thread(Runnable task, long stackBytes) {
        Thread thread = new Thread(null, task, name + "-" + numbers.incrementAndGet(), stackBytes);
        thread.setDaemon(true);
        return thread;
    }

    /** @throws java.util.concurrent.RejectedExecutionException if all threads are busy and the queue is full */
    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Lets running work finish, within a time limit. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(closeSecondsMax, TimeUnit.SECONDS)) {
                LOG.warn("Work of {} was still running when its server stopped", name);
                threads.shutdownNow();
            }
        } catch (InterruptedException stopping) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
