package io.polytable.store.fluss;

import io.polytable.store.fluss.ownership.FencedWriter;
import io.polytable.store.fluss.ownership.LeaseNote;
import io.polytable.store.fluss.ownership.RowSpan;
import java.time.Duration;
import java.util.List;

/**
 * The owner's lease: how long it may believe that it is the owner. Whoever wants the log next waits until the bucket's offset
 * has not moved for the lease's time, by its own clock. So the owner counts from when it sent the last write that was
 * acknowledged, which is earlier, and the two need no clock in common.
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

    /** Any write sent then and acknowledged renews the lease. */
    void renewed(long sentNanos) {
        renewedNanos = sentNanos;
    }

    boolean isHeld() {
        return System.nanoTime() - renewedNanos < time.toNanos();
    }

    /** Nanoseconds until a write is due for the lease's sake. */
    long dueInNanos() {
        return renewedNanos + time.toNanos() / 3 - System.nanoTime();
    }

    /** Writes the lease row, for want of anything else to write. */
    void renew() {
        long sent = System.nanoTime();
        write(true);
        renewed(sent);
    }

    /** Tells others that they need not wait. */
    void release() {
        write(false);
    }

    private void write(boolean held) {
        LeaseNote note = new LeaseNote(own.epoch(), own.owner(), held, time.toMillis());
        writer.write(List.of(note.row(writer.expected())));
    }
}
