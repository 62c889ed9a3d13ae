package io.polytable.redis.command.replication;

import io.polytable.table.Snapshot;

/** A snapshot, and the offset from which the stream has exactly what the snapshot does not show. */
final class Cut implements AutoCloseable {
    private final Snapshot snapshot;
    private final long offset;
    private boolean closed;

    Cut(Snapshot snapshot, long offset) {
        this.snapshot = snapshot;
        this.offset = offset;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    long offset() {
        return offset;
    }

    /** Lets the snapshot go, when only the offset is still needed. */
    void release() {
        if (!closed) {
            closed = true;
            snapshot.close();
        }
    }

    @Override
    public void close() {
        release();
    }
}
