package io.polytable.store.engine;

import java.util.concurrent.TimeUnit;

/** Ends background threads. */
final class Threads {
    private static final long JOIN_SECONDS_MAX = 60;

    private Threads() {}

    /** Also for a caller that is interrupted: what the thread uses is closed next, and natively, beneath it. */
    static void join(Thread thread) {
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
