package io.polytable.store.log;

import java.util.concurrent.TimeUnit;

/** Joins background threads that use the log. */
public final class Threads {
    private static final long JOIN_SECONDS_MAX = 60;

    private Threads() {}

    /** Waits for the thread even if the caller is interrupted: native objects that the thread uses are closed next. */
    public static void join(Thread thread) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(JOIN_SECONDS_MAX);
        boolean interrupted = false;
        for (long left = 1; thread.isAlive() && left > 0; left = deadline - System.nanoTime()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(left, 1_000_000));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
