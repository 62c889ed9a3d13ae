package io.polytable.store;

import java.util.concurrent.TimeUnit;

/** Ends background threads. */
final class Threads {
    private static final long JOIN_SECONDS_MAX = 60;

    private Threads() {}

    static void join(Thread thread) {
        try {
            TimeUnit.SECONDS.timedJoin(thread, JOIN_SECONDS_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
