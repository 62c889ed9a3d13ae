package io.polytable.frontend.work;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task on a daemon thread of its own, from its start to its end: for work that is too long for a turn of {@link
 * Background}. A failure that the task does not handle itself is logged, and counted under the thread's name.
 */
public final class BackgroundJob {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundJob.class);

    private final Thread thread;

    /** Does not start yet. */
    public BackgroundJob(String name, Runnable task) {
        thread = new Thread(() -> run(name, task), name);
        thread.setDaemon(true);
    }

    /** Starts a task. */
    public static BackgroundJob started(String name, Runnable task) {
        BackgroundJob job = new BackgroundJob(name, task);
        job.start();
        return job;
    }

    private static void run(String name, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error mistake) {
            Background.failures(name).increment();
            LOG.error("{} failed", name, mistake);
        }
    }

    public void start() {
        thread.start();
    }

    public String name() {
        return thread.getName();
    }

    public boolean isRunning() {
        return thread.isAlive();
    }

    /** Interrupts the task; it ends if it heeds that. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Waits until the task has ended, even if this thread is interrupted meanwhile, which it then stays. */
    public void awaitEnd() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException stopping) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the task has ended, but not longer than this; returns early if this thread is interrupted. */
    public void awaitEnd(Duration most) {
        try {
            thread.join(Math.max(1, most.toMillis()));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
