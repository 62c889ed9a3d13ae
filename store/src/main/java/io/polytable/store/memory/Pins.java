package io.polytable.store.memory;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who may still look at rows of generations that the state has: open cursors and moments. Each holds a pin on its oldest
 * generation. A chunk that leaves the arena lets go of its array as soon as nobody can get at it; otherwise the array
 * would stay until the collector has found out, which for old objects takes long, and memory would grow far beyond what is in
 * use.
 */
public final class Pins {
    /** Generations that the state has and someone still looks at, oldest first. Under the append mutex. */
    private final ArrayDeque<Generation> applied = new ArrayDeque<>();

    /** What those take to find and sort their rows, at the last look. */
    private volatile long sideBytes;

    /** Under the append mutex; {@code oldest} is the oldest generation that the state does not have. */
    Pin take(Generation oldest) {
        oldest.pins().incrementAndGet();
        return new Pin(oldest);
    }

    /** The state has the generation. */
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

    /** Forgets the generations that nobody looks at any more. */
    void forget() {
        if (!applied.isEmpty()) {
            applied.removeIf(candidate -> candidate.pins().get() == 0);
            count();
        }
    }

    /** Whether somebody could get at rows of the generation, which the state has, at the last look. */
    boolean reach(long generation) {
        return !applied.isEmpty() && applied.getFirst().number() <= generation;
    }

    /** To be closed when what was captured is looked at no more. */
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
