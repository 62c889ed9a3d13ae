package io.polytable.store.fluss.projection;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Detects the end of a stream without an end marker, as opposed to a slow cluster: nothing arrived for a while, the
 * cluster then answered a request, and again nothing arrived for a while.
 */
final class IdleDetector {
    private final Duration quiet;
    private final Runnable question;
    private final LongSupplier nanoTime;
    private long sinceNanos;
    private boolean answered;

    /** @param question returns once the cluster has answered, throws if it does not */
    IdleDetector(Duration quiet, Runnable question, LongSupplier nanoTime) {
        this.quiet = quiet;
        this.question = question;
        this.nanoTime = nanoTime;
        sinceNanos = nanoTime.getAsLong();
    }

    /** Something arrived. */
    void broken() {
        answered = false;
        sinceNanos = nanoTime.getAsLong();
    }

    boolean isTheEnd() {
        if (nanoTime.getAsLong() - sinceNanos < quiet.toNanos()) {
            return false;
        }
        if (answered) {
            return true;
        }
        question.run();
        answered = true;
        sinceNanos = nanoTime.getAsLong();
        return false;
    }
}
