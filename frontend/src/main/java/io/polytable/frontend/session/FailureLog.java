package io.polytable.frontend.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Log lines for requests that the store, or another part of the environment, could not serve. While a disk is full or a file is damaged every request may
 * fail, and the store itself reports the reason with its trace. So there is one line per second for each kind of failure;
 * traces are logged at DEBUG.
 */
public final class FailureLog {
    private static final FailureLog SHARED = new FailureLog();
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<Enum<?>, Long> last = new ConcurrentHashMap<>();

    FailureLog() {}

    /**
     * Logs the failure of a request.
     *
     * @param request the name of the command or call
     * @param kind the error's code
     */
    public static void report(Logger log, String request, Enum<?> kind, Exception failure) {
        if (SHARED.isDue(kind, System.nanoTime())) {
            log.warn("{} failed: {} (logged once per second)", request, String.valueOf(failure.getMessage()));
        }
        log.debug("{} failed", request, failure);
    }

    boolean isDue(Enum<?> kind, long nowNanos) {
        // Equal only for the one thread that stored its time.
        return last.merge(kind, nowNanos, (before, now) -> now - before >= EVERY_NANOS ? now : before) == nowNanos;
    }
}
