package io.polytable.sql.cache;

import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The parts of a table that one query reads from the cache, and the ranges that it reads from rows, in key order.
 * {@link #release()} it.
 */
public final class CacheView {
    private final List<Part> parts;
    private final List<CachedBlock> held;
    private final int blocks;
    private final Consumer<CacheView> released;
    private final long openedNanos = System.nanoTime();

    CacheView(List<Part> parts, List<CachedBlock> held, int blocks, Consumer<CacheView> released) {
        this.parts = List.copyOf(parts);
        this.held = List.copyOf(held);
        this.blocks = blocks;
        this.released = released;
    }

    /** A part of the table. */
    public sealed interface Part {}

    /** A block that equals the rows of the snapshot. */
    public record Cached(String name) implements Part {}

    /** A range whose rows have changed since they were cached, or are not cached. */
    public record Changed(KeyRange range) implements Part {}

    public List<Part> parts() {
        return parts;
    }

    /** The ranges that are not in the cache. */
    public List<KeyRange> changed() {
        List<KeyRange> ranges = new ArrayList<>();
        for (Part part : parts) {
            if (part instanceof Changed gap) {
                ranges.add(gap.range());
            }
        }
        return ranges;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** For EXPLAIN. */
    @Override
    public String toString() {
        return held.size() + " of " + blocks + " blocks from the column cache";
    }

    boolean isComplete() {
        return held.size() == blocks;
    }

    /** Whether the cached share is worth the more complex query. */
    boolean isWorthwhile() {
        return held.size() * 4 >= blocks;
    }

    public void release() {
        held.forEach(CachedBlock::release);
        released.accept(this);
    }
}
