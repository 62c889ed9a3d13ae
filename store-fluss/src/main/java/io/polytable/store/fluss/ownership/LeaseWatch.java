package io.polytable.store.fluss.ownership;

import java.time.Duration;

/** Watches a lease from outside: it is over when the bucket's offset has not moved for its time, by the watcher's clock. */
final class LeaseWatch {
    private final Environment environment;
    private long watchedOffset = -1;
    private long unmovedSinceNanos;

    LeaseWatch(Environment environment) {
        this.environment = environment;
    }

    /** @param current whether nobody confirmed a claim after the lease's owner */
    boolean isFree(LeaseNote lease, boolean current, long offset) {
        if (current && (!lease.held() || environment.isDead(lease.owner()))) {
            return true;
        }
        long now = environment.nanoTime();
        if (offset != watchedOffset) {
            watchedOffset = offset;
            unmovedSinceNanos = now;
            return false;
        }
        return now - unmovedSinceNanos > Duration.ofMillis(lease.millis()).toNanos();
    }
}
