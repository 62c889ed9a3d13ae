package io.polytable.store.log;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How far the log is, who wants to know, and whether it still goes on. */
final class Progress {
    private volatile long acknowledged;
    private volatile long synced;
    private volatile long ticket;
    private volatile Runnable[] listeners = {};
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;

    Progress(long end, long ticket) {
        this.acknowledged = end;
        this.synced = end;
        this.ticket = ticket;
    }

    long acknowledged() {
        return acknowledged;
    }

    long synced() {
        return synced;
    }

    long ticket() {
        return ticket;
    }

    void acknowledge(LogGroup group) {
        ticket = group.ticket();
        acknowledged = group.last();
        tell();
    }

    void sync(long position) {
        synced = position;
        tell();
    }

    private void tell() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    synchronized void listen(Runnable listener) {
        Runnable[] longer = Arrays.copyOf(listeners, listeners.length + 1);
        longer[longer.length - 1] = listener;
        listeners = longer;
    }

    boolean failed() {
        return failure != null;
    }

    /** Ends all writing, for what is on the disk is no longer known. The first cause is the one reported. */
    synchronized StoreException fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        return failedException();
    }

    private StoreException failedException() {
        Throwable cause = failure;
        return new StoreException(
                StoreError.FAILED,
                "The log failed and must be opened again",
                Map.of("cause", String.valueOf(cause)),
                cause);
    }

    void requireOpen() {
        if (closed) {
            throw LogFault.closed();
        }
    }

    void requireWritable() {
        requireOpen();
        requireHealthy();
    }

    void requireHealthy() {
        if (failure != null) {
            throw failedException();
        }
    }

    /** From here on every call is refused; answers whether this is the first time. */
    synchronized boolean close() {
        boolean firstTime = !closed;
        closed = true;
        return firstTime;
    }
}
