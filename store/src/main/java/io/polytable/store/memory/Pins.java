package io.polytable.store.memory;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts who may still look at rows of chunks that left the arena: open cursors and snapshots. While there is none, a
 * chunk that leaves lets go of its array at once. Otherwise the array would stay until the collector has found out that
 * nobody holds the chunk, which for old objects takes long, and memory would grow far beyond what is in use.
 */
public final class Pins {
    private final AtomicInteger open = new AtomicInteger();

    /** Under the append mutex, or while another pin is held. */
    Pin take() {
        open.incrementAndGet();
        return new Pin(open);
    }

    boolean none() {
        return open.get() == 0;
    }

    /** To be closed when what was captured is looked at no more. */
    public static final class Pin implements AutoCloseable {
        private final AtomicInteger open;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Pin(AtomicInteger open) {
            this.open = open;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                open.decrementAndGet();
            }
        }
    }
}
