package io.polytable.store.fluss;

import java.time.Duration;
import java.util.Optional;

/**
 * How a log in Fluss works.
 *
 * @param table the name of its table
 * @param lease how long an owner that falls silent keeps others away
 * @param claimMax how long opening waits for another owner to let go
 * @param formerOwner who owned the log in this data directory's name before; it is dead, or the directory would be locked
 * @param anew where to begin anew, leaving behind whatever the table holds
 */
public record FlussLogOptions(
        String table, Duration lease, Duration claimMax, Optional<Long> formerOwner, Optional<StartAfter> anew) {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration CLAIM_MAX = Duration.ofSeconds(60);

    /** A log that goes on from elsewhere begins behind this position and ticket. */
    public record StartAfter(long position, long ticket) {}

    public static FlussLogOptions of(String table) {
        return new FlussLogOptions(table, LEASE, CLAIM_MAX, Optional.empty(), Optional.empty());
    }

    public FlussLogOptions withLease(Duration time) {
        return new FlussLogOptions(table, time, claimMax, formerOwner, anew);
    }

    public FlussLogOptions withClaimMax(Duration most) {
        return new FlussLogOptions(table, lease, most, formerOwner, anew);
    }

    public FlussLogOptions withFormerOwner(Optional<Long> owner) {
        return new FlussLogOptions(table, lease, claimMax, owner, anew);
    }

    public FlussLogOptions withAnew(StartAfter start) {
        return new FlussLogOptions(table, lease, claimMax, formerOwner, Optional.of(start));
    }
}
