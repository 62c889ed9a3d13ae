package io.polytable.store.fluss.projection;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells the end of a stream that does not tell it itself from a cluster that is slow to answer: nothing came for a while,
 * the cluster answered a question after that, and nothing came for a while again.
 */
final class IdleDetector {
    private final Duration quiet;
    private final Runnable question;
    private final LongSupplier nanoTime;
    private long sinceNanos;
    private boolean answered;

    /** @param question returns when the cluster has answered, throws when it does not */
    IdleDetector(Duration quiet, Runnable question, LongSupplier nanoTime) {
        this.quiet = quiet;
        this.question = question;
        this.nanoTime = nanoTime;
        sinceNanos = nanoTime.getAsLong();
    }

    /** Something came. */
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
