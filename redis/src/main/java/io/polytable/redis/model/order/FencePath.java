package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.write.WriteSet;
import org.jspecify.annotations.Nullable;

/**
 * The path from the highest fences of a collection down to one of the first level and the elements under it. Fences
 * and elements that the tree does not have yet are read from rows and added to it.
 */
final class FencePath {
    private final FenceLimits limits;
    private final WriteSet work;
    private final FenceTree tree;
    private final OrderRows orders;
    private final FenceRows rows;

    // Per level: the page, the index of the fence in it, and where the page ends.
    private FencePage[] pages = new FencePage[0];
    private int[] indexes = new int[0];
    private Bytes[] ends = new Bytes[0];

    FencePath(WriteSet work, FenceTree tree, OrderRows orders, FenceRows rows) {
        this.limits = tree.limits;
        this.work = work;
        this.tree = tree;
        this.orders = orders;
        this.rows = rows;
    }

    FencePage page(int level) {
        return pages[level];
    }

    int index(int level) {
        return indexes[level];
    }

    Fence fence(int level) {
        return pages[level].at(indexes[level]);
    }

    /** The end of the path's page on this level. */
    Bytes pageEnd(int level) {
        return ends[level];
    }

    /** Moves to the previous fence, on this level only. */
    void stepBack(int level) {
        indexes[level]--;
    }

    /** Replaces the path's page on this level. */
    void replace(int level, FencePage page, Bytes end) {
        pages[level] = page;
        ends[level] = end;
    }

    /**
     * The elements between two fences of the first level; {@code before} is the number of elements in front of them.
     */
    record Stretch(Bytes from, Bytes to, long before, long elements) {}

    /** The stretch that contains the place. */
    Stretch at(Bytes place) {
        descend(place);
        long before = 0;
        for (int level = tree.levels(); level > 0; level--) {
            before += pages[level].elementsBefore(indexes[level]);
        }
        return stretch(before);
    }

    /** The stretch that contains the element of this rank. */
    Stretch at(long rank) {
        FencePage page = begin();
        long before = 0;
        for (int level = tree.levels(); ; level--) {
            int index = 0;
            while (index < page.size() - 1 && rank - before >= page.at(index).elements()) {
                before += page.at(index).elements();
                index++;
            }
            step(level, page, index);
            if (level == 1) {
                return stretch(before);
            }
            page = beneath(level);
        }
    }

    private Stretch stretch(long before) {
        Fence fence = leaf();
        return new Stretch(fence.place, endOf(1), before, fence.elements());
    }

    Fence leaf() {
        return fence(1);
    }

    /** The elements of the stretch found last, cached in the tree. Null when they are too large to cache. */
    @Nullable
    SmallOrder elements() {
        return elements(leaf(), endOf(1));
    }

    /** The elements behind a fence of the first level that ends here, as {@link #elements()}. */
    @Nullable
    SmallOrder elements(Fence leaf, Bytes end) {
        SmallOrder known = leaf.stretch();
        if (known == null) {
            Bytes to = end.isEmpty() ? tree.ceiling() : end;
            known = SmallOrder.of(
                    orders.scan(work, startOf(leaf), to, Direction.FORWARD, leaf.elements() + 1), orders.ordering());
            if (known != null && known.size() != leaf.elements()) {
                throw OrderRows.damaged(tree.id, "Fence does not count the elements behind it");
            }
            if (known != null && known.size() > 0) {
                learn(known, leaf.place.isEmpty(), end.isEmpty());
            }
            keep(leaf, known);
        }
        return known;
    }

    /**
     * Remembers the places of the first and the last element, so that the next walk from an end skips the tombstones.
     */
    private void learn(SmallOrder found, boolean atStart, boolean atEnd) {
        if (atStart) {
            tree.nothingBefore(OrderRows.placeOf(found.key(0)));
        }
        if (atEnd) {
            tree.nothingAfter(OrderRows.placeOf(found.key(found.size() - 1)));
        }
    }

    /** Before the floor there are only tombstones: many, in a set that is popped from its start. */
    Bytes startOf(Fence leaf) {
        return leaf.place.isEmpty() ? tree.floor() : leaf.place;
    }

    /** Caches the elements behind the fence, or none. */
    void keep(Fence leaf, @Nullable SmallOrder next) {
        tree.replaces(leaf.stretch(), next);
        leaf.stretch(next);
    }

    /** Descends to the fence that covers the place. */
    void descend(Bytes place) {
        FencePage page = begin();
        for (int level = tree.levels(); ; level--) {
            step(level, page, page.covering(place));
            if (level == 1) {
                return;
            }
            page = beneath(level);
        }
    }

    /** Sizes the arrays of the path and answers the page at the top. */
    FencePage begin() {
        int levels = tree.levels();
        if (pages.length <= levels) {
            pages = new FencePage[levels + 1];
            indexes = new int[levels + 1];
            ends = new Bytes[levels + 1];
        }
        ends[levels] = SortKeys.END;
        FencePage page = tree.top();
        if (page == null) {
            page = rows.read(work, levels, SortKeys.START, SortKeys.END, limits);
            if (page.size() < 2
                    || page.size() > limits.most()
                    || !page.at(0).place.isEmpty()) {
                throw OrderRows.damaged(tree.id, "Highest fences of a collection are damaged");
            }
            tree.top(page);
            countMemory(page);
        }
        return page;
    }

    /** Makes the path go through this fence. */
    void step(int level, FencePage page, int index) {
        pages[level] = page;
        indexes[level] = index;
        if (level > 1) {
            ends[level - 1] = endOf(level);
        }
    }

    /** The end of the path's fence on this level. */
    Bytes endOf(int level) {
        FencePage page = pages[level];
        int next = indexes[level] + 1;
        return next < page.size() ? page.at(next).place : ends[level];
    }

    private FencePage beneath(int level) {
        return pageOf(fence(level), endOf(level));
    }

    /** The fences beneath a fence that ends here. */
    FencePage pageOf(Fence fence, Bytes end) {
        FencePage page = fence.page();
        if (page == null) {
            page = rows.read(work, fence.level - 1, fence.place, end, limits);
            if (page.size() != fence.children()
                    || page.size() == 0
                    || !page.at(0).place.equals(fence.place)) {
                throw OrderRows.damaged(tree.id, "Fences of a collection are damaged");
            }
            fence.page(page);
            countMemory(page);
        }
        return page;
    }

    private void countMemory(FencePage page) {
        for (int i = 0; i < page.size(); i++) {
            tree.grow(page.at(i).memoryBytes());
        }
    }
}
