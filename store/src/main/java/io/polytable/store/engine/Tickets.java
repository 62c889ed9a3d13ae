package io.polytable.store.engine;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Unique numbers. Each log record stores the last number drawn before it, so opening all logs of a store recovers every
 * number that is in a durable commit.
 */
public final class Tickets {
    private final AtomicLong last = new AtomicLong();

    long next() {
        return last.incrementAndGet();
    }

    long last() {
        return last.get();
    }

    /** Marks this number and all below as used. */
    void used(long ticket) {
        last.accumulateAndGet(ticket, Math::max);
    }
}
