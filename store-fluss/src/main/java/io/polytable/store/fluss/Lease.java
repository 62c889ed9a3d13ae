package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.LeaseRecord;
import io.polytable.store.fluss.ownership.RowSpan;
import java.time.Duration;
import java.util.List;

/**
 * The owner's lease: how long it may assume that it owns the log. A claimant waits until the bucket's offset has not
 * moved for the lease's duration, by its own clock. The owner counts from the time it sent the last acknowledged write,
 * which is earlier, so the two clocks need not agree.
 */
final class Lease {
    private final FencedWriter writer;
    private final RowSpan own;
    private final Duration time;
    private volatile long renewedNanos = System.nanoTime();

    Lease(FencedWriter writer, RowSpan own, Duration time) {
        this.writer = writer;
        this.own = own;
        this.time = time;
    }

    /** Renews the lease by an acknowledged write that was sent at this time. */
    void renewed(long sentNanos) {
        renewedNanos = sentNanos;
    }

    boolean isHeld() {
        return System.nanoTime() - renewedNanos < time.toNanos();
    }

    /** Nanoseconds until the lease has to be renewed. */
    long dueInNanos() {
        return renewedNanos + time.toNanos() / 3 - System.nanoTime();
    }

    /** Writes the lease row if there is nothing else to write. */
    void renew() {
        long sent = System.nanoTime();
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
