package io.polytable.store.log;

import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The acknowledged and synced positions of a log, the listeners waiting for them, and whether the log has failed. */
public final class LogProgress {
    private volatile long acknowledged;
    private volatile long synced;
    private volatile long ticket;
    private volatile Runnable[] listeners = {};
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;

    public LogProgress(long end, long ticket) {
        this.acknowledged = end;
        this.synced = end;
        this.ticket = ticket;
    }

    public long acknowledged() {
        return acknowledged;
    }

    public long synced() {
        return synced;
    }

    public long ticket() {
        return ticket;
    }

    public void acknowledge(RecordBatch batch) {
        ticket = batch.ticket();
        acknowledged = batch.last();
        tell();
    }

    public void sync(long position) {
        synced = position;
        tell();
    }

    /** Notifies listeners of any other change they wait for. */
    public void advanced() {
        tell();
    }

    private void tell() {
        for (Runnable listener : listeners) {
            listener.run();
        }
    }

    public synchronized void listen(Runnable listener) {
        Runnable[] longer = Arrays.copyOf(listeners, listeners.length + 1);
        longer[longer.length - 1] = listener;
        listeners = longer;
    }

    public boolean failed() {
        return failure != null;
    }

    /** Fails the log: writing ends, because the content of the disk is unknown. Only the first cause is reported. */
    public StoreException fail(Throwable cause) {
        // Notified without the lock: listeners complete futures, and what clients do then is unknown.
        if (isFirst(cause)) {
            tell();
        }
        return failedException();
    }

    private synchronized boolean isFirst(Throwable cause) {
        boolean first = failure == null;
        if (first) {
            failure = cause;
        }
        return first;
    }

    private StoreException failedException() {
        Throwable cause = failure;
        return new StoreException(
                StoreError.FAILED,
                "The log failed and must be opened again",
                Map.of("cause", String.valueOf(cause)),
                cause);
    }

    public void requireOpen() {
        if (closed) {
            throw LogFault.closed();
        }
    }

    public void requireWritable() {
        requireOpen();
        requireHealthy();
    }

    public void requireHealthy() {
        if (failure != null) {
            throw failedException();
        }
    }

    /** Refuses every call from now on; returns whether this is the first time. */
    public synchronized boolean close() {
        boolean firstTime = !closed;
        closed = true;
        return firstTime;
    }
}
