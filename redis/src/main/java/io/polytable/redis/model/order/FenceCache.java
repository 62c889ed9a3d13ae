package io.polytable.redis.model.order;

import io.polytable.table.WriteSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An LRU cache of fences, bounded by memory, so that an insert or a removal finds the counts it changes without
 * reading rows. {@link FenceTree} says why it cannot be stale, docs/decisions/ why it exists.
 */
public final class FenceCache {
    private static final long ELEMENT_BYTES_USUAL = 48;

    private final FenceLimits limits;
    private final long memoryBytesMax;
    private final Map<Long, FenceTree> trees = new LinkedHashMap<>(64, 0.75f, true);
    private long memoryBytes;

    public FenceCache(long memoryBytesMax) {
        this(memoryBytesMax, FenceLimits.STANDARD);
    }

    FenceCache(long memoryBytesMax, FenceLimits limits) {
        this.limits = limits;
        this.memoryBytesMax = memoryBytesMax;
    }

    /**
     * Whether the elements that ranks and short walks need shall stay in memory, a stretch between two fences at a time. Of
     * a larger set so many stretches are in use that keeping them would only push each other out.
     */
    boolean hasRoomFor(long elements) {
        return elements * ELEMENT_BYTES_USUAL < memoryBytesMax / 2;
    }

    /** What is known of the order of the collection, given the number of fence levels its header tells. */
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
            // It may come to show rows that this unit has written and not committed.
            tree.changesIn(work);
        }
        return tree;
    }

    /** Called when a unit of work has used the tree, with its rows written. */
    void keep(FenceTree tree) {
        if (tree.memoryBytes() > memoryBytesMax / 2) {
            tree.prune();
        }
        if (tree.cached && tree.countedBytes == tree.memoryBytes()) {
            return;
        }
        synchronized (trees) {
            forget(trees.put(tree.id, tree));
            tree.countedBytes = tree.memoryBytes();
            tree.cached = true;
            memoryBytes += tree.countedBytes;
            Iterator<FenceTree> eldest = trees.values().iterator();
            while (memoryBytes > memoryBytesMax && eldest.hasNext()) {
                forget(eldest.next());
                eldest.remove();
            }
        }
    }

    /** The rows were or will be written by someone who does not use the tree. */
    public void drop(long id) {
        synchronized (trees) {
            forget(trees.remove(id));
        }
    }

    private void forget(@Nullable FenceTree tree) {
        if (tree != null) {
            tree.cached = false;
            memoryBytes -= tree.countedBytes;
        }
    }
}
