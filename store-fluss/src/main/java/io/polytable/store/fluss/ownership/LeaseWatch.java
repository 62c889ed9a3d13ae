package io.polytable.store.fluss.ownership;

import java.time.Duration;

/**
 * Watches another owner's lease: it has expired when the bucket's offset has not moved for its duration, by the
 * watcher's clock.
 */
final class LeaseWatch {
    private final Environment environment;
    private long watchedOffset = -1;
    private long unmovedSinceNanos;

    LeaseWatch(Environment environment) {
        this.environment = environment;
    }

    /** @param current whether no claim after the lease's owner was confirmed */
    boolean isFree(LeaseRecord lease, boolean current, long offset) {
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
