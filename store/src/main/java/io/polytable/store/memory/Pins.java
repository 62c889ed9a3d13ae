package io.polytable.store.memory;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reference counts of open cursors and snapshots on generations that are already applied. Each pins its oldest
 * generation. A dropped chunk frees its array as soon as no pin reaches it. Leaving that to the garbage collector would
 * take long for old objects, and memory would grow far beyond what is in use.
 */
public final class Pins {
    /** Applied generations that are still pinned, oldest first. Under the append mutex. */
    private final ArrayDeque<Generation> applied = new ArrayDeque<>();

    /** Memory of their indexes and sorted runs, at the last update. */
    private volatile long sideBytes;

    /**
     * Under the append mutex.
     *
     * @param oldest the oldest generation that is not applied
     */
    Pin take(Generation oldest) {
        oldest.pins().incrementAndGet();
        return new Pin(oldest);
    }

    /** Called when the generation was applied. */
    void applied(Generation generation) {
        if (generation.pins().get() > 0) {
            applied.addLast(generation);
            count();
        }
    }

    private void count() {
        sideBytes = applied.stream().mapToLong(Generation::sideBytes).sum();
    }

    long sideBytes() {
        return sideBytes;
    }

    /** Forgets generations that are no longer pinned. */
    void forget() {
        if (!applied.isEmpty()) {
            applied.removeIf(candidate -> candidate.pins().get() == 0);
            count();
        }
    }

    /** Whether a pin reached rows of the applied generation, at the last update. */
    boolean reach(long generation) {
        return !applied.isEmpty() && applied.getFirst().number() <= generation;
    }

    /** Close it when the captured rows are no longer read. */
    public static final class Pin implements AutoCloseable {
        private final Generation generation;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Pin(Generation generation) {
            this.generation = generation;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                generation.pins().decrementAndGet();
            }
        }
    }
}
