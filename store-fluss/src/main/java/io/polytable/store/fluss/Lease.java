package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.LeaseRecord;
import io.polytable.store.fluss.ownership.Moment;
import io.polytable.store.fluss.ownership.Ownership;
import io.polytable.store.fluss.ownership.RowSpan;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * The owner's lease: how long it may assume that it owns the log. A claimant waits until the bucket's offset has not
 * moved for the lease's duration, by its own clock. The owner counts from the time it sent the last acknowledged write,
 * which is earlier, so the two clocks need not agree. It counts by the monotonic clock or the wall clock, whichever shows
 * more: the monotonic one stands still while the machine is suspended.
 */
final class Lease {
    private final FencedWriter writer;
    private final RowSpan own;
    private final Duration time;
    private final Supplier<Moment> clock;
    private volatile Moment renewedAt;

    Lease(FencedWriter writer, Ownership won, Duration time, Supplier<Moment> clock) {
        this.writer = writer;
        this.own = won.own();
        this.time = time;
        this.clock = clock;
        this.renewedAt = won.leasedAt();
    }

    /** The present by the lease's clocks. */
    Moment now() {
        return clock.get();
    }

    /** Renews the lease by an acknowledged write that was sent at this time. */
    void renewed(Moment sent) {
        renewedAt = sent;
    }

    boolean isHeld() {
        return now().since(renewedAt).compareTo(time) < 0;
    }

    /** Nanoseconds until the lease must be renewed. */
    long dueInNanos() {
        return time.dividedBy(3).minus(now().since(renewedAt)).toNanos();
    }

    /** Writes the lease row if there is nothing else to write. */
    void renew() {
        Moment sent = now();
        write(true);
        renewed(sent);
    }

    /** Releases the lease, so that claimants need not wait. */
    void release() {
        write(false);
    }

    private void write(boolean held) {
        LeaseRecord note = new LeaseRecord(own.epoch(), own.owner(), held, time.toMillis());
        writer.write(List.of(note.row(writer.expected())));
    }
}
