package io.polytable.sql.cache;

import io.polytable.table.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What one query takes from the cache, and what it has to read itself, in the order of keys. {@link #release()} it. */
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

    /** A piece of the table. */
    public sealed interface Part {}

    /** A block that is as the query's snapshot shows it. */
    public record Cached(String name) implements Part {}

    /** A range whose rows have changed. */
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

    /** Whether it saves more than the longer query costs. */
    boolean isWorthwhile() {
        return held.size() * 4 >= blocks;
    }

    public void release() {
        held.forEach(CachedBlock::release);
        released.accept(this);
    }
}
