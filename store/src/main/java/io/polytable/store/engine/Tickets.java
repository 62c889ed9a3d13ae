package io.polytable.store.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers that never come twice. Each record of a log keeps the last number drawn before it, so whoever opens all logs of a
 * store knows every number that is in a durable commit of any of them.
 */
public final class Tickets {
    private final AtomicLong last = new AtomicLong();

    long next() {
        return last.incrementAndGet();
    }

    long last() {
        return last.get();
    }

    /** This number, and all below, were drawn before. */
    void used(long ticket) {
        last.accumulateAndGet(ticket, Math::max);
    }
}
