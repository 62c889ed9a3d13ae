package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.WriteSet;
import org.jspecify.annotations.Nullable;

/**
 * The path from the highest fences of a sorted set down to one of the first level and the elements under it. Fences
 * and elements on it are read from rows when the tree does not have them yet, and are kept there.
 */
final class FencePath {
    private final FenceLimits limits;
    private final WriteSet work;
    private final FenceTree tree;
    private final OrderRows orders;
    private final FenceRows rows;

    // By level: the page, the fence in it, and where the page ends.
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

    /** Where the page ends that the path goes through on this level. */
    Bytes pageEnd(int level) {
        return ends[level];
    }

    /** To the fence before, on this level alone. */
    void stepBack(int level) {
        indexes[level]--;
    }

    /** The path's page on this level is another one now. */
    void replace(int level, FencePage page, Bytes end) {
        pages[level] = page;
        ends[level] = end;
    }

    /** A stretch of elements between two fences of the first level, and how many stand before it. */
    record Stretch(Bytes from, Bytes to, long before, long elements) {}

    /** The stretch in which the place is. */
    Stretch at(Bytes place) {
        descend(place);
        long before = 0;
        for (int level = tree.levels(); level > 0; level--) {
            before += pages[level].elementsBefore(indexes[level]);
        }
        return stretch(before);
    }

    /** The stretch in which the element of this rank is. */
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

    /** All elements of the stretch found last; they stay in memory. Null when they are too large for that. */
    @Nullable
    SmallOrder elements() {
        return elements(leaf(), endOf(1));
    }

    /** All elements behind a fence of the first level that ends here, as {@link #elements()}. */
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

    /** Remembers where the first and the last element stand: the next walk to an end starts behind the tombstones. */
    private void learn(SmallOrder found, boolean atStart, boolean atEnd) {
        if (atStart) {
            tree.nothingBefore(OrderRows.placeOf(found.key(0)));
        }
        if (atEnd) {
            tree.nothingAfter(OrderRows.placeOf(found.key(found.size() - 1)));
        }
    }

    /** Before the floor there is nothing but, in a set that is popped from its start, many tombstones. */
    Bytes startOf(Fence leaf) {
        return leaf.place.isEmpty() ? tree.floor() : leaf.place;
    }

    /** The elements behind the fence, to be kept in memory or not any more. */
    void keep(Fence leaf, @Nullable SmallOrder next) {
        tree.replaces(leaf.stretch(), next);
        leaf.stretch(next);
    }

    /** Goes down to the fence that covers the place. */
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

    /** Makes room for the path and answers the page at the top. */
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
            grew(page);
        }
        return page;
    }

    /** The path goes through this fence. */
    void step(int level, FencePage page, int index) {
        pages[level] = page;
        indexes[level] = index;
        if (level > 1) {
            ends[level - 1] = endOf(level);
        }
    }

    /** Where the fence that the path goes through on this level ends. */
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
            grew(page);
        }
        return page;
    }

    private void grew(FencePage page) {
        for (int i = 0; i < page.size(); i++) {
            tree.grow(page.at(i).memoryBytes());
        }
    }
}
