package io.polytable.redis.model.order;

import io.polytable.frontend.limit.Budget;
import io.polytable.table.write.WriteSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An LRU cache of fences, bounded by memory: an insert or a removal finds the counts it changes without reading rows.
 * {@link FenceTree} says why it cannot be stale, docs/decisions/0008-counted-fences.md why it exists.
 */
public final class FenceCache {
    private static final long ELEMENT_BYTES_USUAL = 48;

    private final FenceLimits limits;
    private final Budget memory;
    private final Map<Long, FenceTree> trees = new LinkedHashMap<>(64, 0.75f, true);

    public FenceCache(Budget memory) {
        this(memory, FenceLimits.STANDARD);
    }

    FenceCache(Budget memory, FenceLimits limits) {
        this.limits = limits;
        this.memory = memory;
    }

    /**
     * Whether to cache the elements that ranks and short walks need, a stretch between two fences at a time. A larger
     * set uses so many stretches that they would only evict each other.
     */
    boolean hasRoomFor(long elements) {
        return elements * ELEMENT_BYTES_USUAL < memory.limitBytes() / 2;
    }

    /** The cached tree of the collection, or a new one; the header gives the number of fence levels. */
    FenceTree open(WriteSet work, long id, int levels) {
        FenceTree known;
        synchronized (trees) {
            known = trees.get(id);
        }
        if (known != null && known.usableIn(work) && known.levels() == levels) {
            return known;
        }
        FenceTree tree = new FenceTree(id, limits, levels);
        if (!work.isEmpty()) {
            // The tree may come to hold uncommitted rows of this unit.
            tree.changesIn(work);
        }
        return tree;
    }

    /** Called after a unit of work used the tree and wrote its rows. */
    void keep(FenceTree tree) {
        if (tree.memoryBytes() > memory.limitBytes() / 2) {
            tree.prune();
        }
        if (tree.cached && tree.countedBytes == tree.memoryBytes()) {
            return;
        }
        synchronized (trees) {
            forget(trees.put(tree.id, tree));
            tree.countedBytes = tree.memoryBytes();
            tree.cached = true;
            memory.take(tree.countedBytes);
            Iterator<FenceTree> eldest = trees.values().iterator();
            while (memory.isFull() && eldest.hasNext()) {
                forget(eldest.next());
                eldest.remove();
            }
        }
    }

    /** Call this when rows are or will be written without the tree. */
    public void drop(long id) {
        synchronized (trees) {
            forget(trees.remove(id));
        }
    }

    private void forget(@Nullable FenceTree tree) {
        if (tree != null) {
            tree.cached = false;
            memory.release(tree.countedBytes);
        }
    }
}
