package io.polytable.redis.model;

import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.Table;
import io.polytable.table.WriteSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counted fences of one sorted set, used by one unit of work: they tell how many elements stand before a place
 * without walking over them. Together they are a tree of counts, with as many children to each as {@link FenceLimits}
 * says:
 *
 * <pre>
 * level 2:  |start 143 in 2 .................|k 131 in 2 .................
 * level 1:  |start 64 ......|e 79 ...........|k 66 ..........|q 65 .......
 * elements: a b c d ...      e f g h ...      k l m n ...     q r s t ...
 * </pre>
 *
 * An element that comes or goes changes one count on each level. Rows are written by {@link #write()}, once for each
 * fence whose counts are not those of its row.
 */
final class Fences {
    private final FenceLimits limits;
    private final WriteSet work;
    private final FenceTree tree;
    private final OrderRows orders;
    private final FenceRows rows;
    private final List<Fence> touched = new ArrayList<>();

    /** Where the last descent went, by level: the page, the fence in it, and where the page ends. */
    private FencePage[] pages = new FencePage[0];

    private int[] indexes = new int[0];
    private Bytes[] ends = new Bytes[0];

    Fences(WriteSet work, Table table, FenceTree tree) {
        this.limits = tree.limits;
        this.work = work;
        this.tree = tree;
        this.orders = new OrderRows(table, tree.id);
        this.rows = new FenceRows(table, tree.id);
    }

    boolean isEmpty() {
        return tree.levels() == 0;
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

    private Fence leaf() {
        return pages[1].at(indexes[1]);
    }

    /** All elements of the stretch found last; they stay in memory. Null when they are too large for that. */
    @Nullable
    SmallOrder elements() {
        Fence leaf = leaf();
        SmallOrder known = leaf.stretch();
        if (known == null) {
            known = SmallOrder.of(orders.scan(work, startOf(leaf), endOf(1), Direction.FORWARD, leaf.elements() + 1));
            if (known != null && known.size() != leaf.elements()) {
                throw OrderRows.damaged(tree.id, "Fence does not count the elements behind it");
            }
            keep(leaf, known);
        }
        return known;
    }

    /** Before the floor there is nothing but, in a set that is popped from its start, many tombstones. */
    private Bytes startOf(Fence leaf) {
        return leaf.place.isEmpty() ? tree.floor() : leaf.place;
    }

    private void keep(Fence leaf, @Nullable SmallOrder next) {
        SmallOrder known = leaf.stretch();
        tree.grow((next == null ? 0 : next.memoryBytes()) - (known == null ? 0 : known.memoryBytes()));
        leaf.stretch(next);
    }

    private void descend(Bytes place) {
        FencePage page = begin();
        for (int level = tree.levels(); ; level--) {
            step(level, page, page.covering(place));
            if (level == 1) {
                return;
            }
            page = beneath(level);
        }
    }

    private FencePage begin() {
        int levels = tree.levels();
        if (pages.length <= levels) {
            pages = new FencePage[levels + 1];
            indexes = new int[levels + 1];
            ends = new Bytes[levels + 1];
        }
        ends[levels] = Places.END;
        FencePage page = tree.top();
        if (page == null) {
            page = rows.read(work, levels, Places.START, Places.END, limits);
            if (page.size() < 2
                    || page.size() > limits.most()
                    || !page.at(0).place.isEmpty()) {
                throw OrderRows.damaged(tree.id, "Highest fences of a sorted set are damaged");
            }
            tree.top(page);
            grew(page);
        }
        return page;
    }

    private void step(int level, FencePage page, int index) {
        pages[level] = page;
        indexes[level] = index;
        if (level > 1) {
            ends[level - 1] = endOf(level);
        }
    }

    /** Where the fence that the path goes through on this level ends. */
    private Bytes endOf(int level) {
        FencePage page = pages[level];
        int next = indexes[level] + 1;
        return next < page.size() ? page.at(next).place : ends[level];
    }

    private FencePage beneath(int level) {
        return pageOf(pages[level].at(indexes[level]), endOf(level));
    }

    private FencePage pageOf(Fence fence, Bytes end) {
        FencePage page = fence.page();
        if (page == null) {
            page = rows.read(work, fence.level - 1, fence.place, end, limits);
            if (page.size() != fence.children()
                    || page.size() == 0
                    || !page.at(0).place.equals(fence.place)) {
                throw OrderRows.damaged(tree.id, "Fences of a sorted set are damaged");
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

    /** An element came to stand at the place; its order row is written. */
    void added(Bytes place, double score) {
        descend(place);
        count(1);
        Fence leaf = leaf();
        SmallOrder known = leaf.stretch();
        if (known != null) {
            keep(leaf, known.with(orders.key(place).bytes(), OrderRows.value(score)));
        }
        if (leaf.elements() > limits.most()) {
            cutElements();
        }
    }

    /** The element that stood at the place is gone; its order row is deleted. */
    void removed(Bytes place) {
        descend(place);
        count(-1);
        Fence leaf = leaf();
        SmallOrder known = leaf.stretch();
        if (known != null) {
            keep(leaf, known.without(orders.key(place).bytes()));
        }
        if (leaf.elements() < limits.fewest()) {
            join(1);
        }
    }

    private void count(int difference) {
        for (int level = tree.levels(); level > 0; level--) {
            Fence fence = pages[level].at(indexes[level]);
            fence.add(difference);
            touch(fence);
        }
    }

    /** The set has more elements than one fence covers: gives it its first two fences. */
    void plant(long size, @Nullable SmallOrder all) {
        FencePage page = new FencePage(1, 4);
        Fence first = newFence(Fence.leaf(Places.START, size));
        keep(first, all);
        page.add(first);
        tree.top(page);
        begin();
        step(1, page, 0);
        cutElements();
    }

    /** Cuts the stretch that the path leads to in two. */
    private void cutElements() {
        Fence lower = leaf();
        int kept = (int) lower.elements() / 2;
        SmallOrder known = lower.stretch();
        Bytes middle = known == null
                ? orders.nth(work, startOf(lower), endOf(1), kept)
                : OrderRows.placeOf(known.key(kept)).copy();
        Fence upper = newFence(Fence.leaf(middle, lower.elements() - kept));
        lower.add(-upper.elements());
        if (known != null) {
            keep(upper, known.between(kept, known.size()));
            keep(lower, known.between(0, kept));
        }
        pages[1].insert(indexes[1] + 1, upper);
        cameToPage(1);
    }

    /** The path's page on this level has one fence more. */
    private void cameToPage(int level) {
        FencePage page = pages[level];
        if (level < tree.levels()) {
            Fence parent = pages[level + 1].at(indexes[level + 1]);
            parent.addChildren(1);
            touch(parent);
        }
        if (page.size() > limits.most()) {
            cutPage(level);
        }
    }

    private void cutPage(int level) {
        FencePage lower = pages[level];
        FencePage upper = lower.cut();
        Fence next = newFence(Fence.over(upper.at(0).place, upper));
        if (level == tree.levels()) {
            FencePage top = new FencePage(level + 1, 4);
            top.add(newFence(Fence.over(Places.START, lower)));
            top.add(next);
            tree.top(top);
            return;
        }
        Fence parent = pages[level + 1].at(indexes[level + 1]);
        parent.recount(lower);
        touch(parent);
        pages[level + 1].insert(indexes[level + 1] + 1, next);
        cameToPage(level + 1);
    }

    /** The path's fence on this level covers too few: joins it with its neighbour, and cuts again if that is too many. */
    private void join(int level) {
        FencePage page = pages[level];
        if (page.size() == 1) {
            return;
        }
        // The neighbour before, if there is one: so the fence at the start is always the one that stays.
        if (indexes[level] > 0) {
            indexes[level]--;
        }
        int index = indexes[level];
        Fence left = page.at(index);
        Fence right = page.at(index + 1);
        if (level == 1) {
            left.add(right.elements());
            SmallOrder first = left.stretch();
            SmallOrder second = right.stretch();
            keep(left, first == null || second == null ? null : first.followedBy(second));
        } else {
            FencePage joined = pageOf(left, right.place);
            joined.join(pageOf(right, index + 2 < page.size() ? page.at(index + 2).place : ends[level]));
            left.recount(joined);
            pages[level - 1] = joined;
            ends[level - 1] = index + 2 < page.size() ? page.at(index + 2).place : ends[level];
        }
        touch(left);
        page.remove(index + 1);
        drop(right);
        wentFromPage(level);
        cutIfTooMany(level, left);
    }

    /** The path's page on this level has one fence fewer. */
    private void wentFromPage(int level) {
        if (level == tree.levels()) {
            return;
        }
        Fence parent = pages[level + 1].at(indexes[level + 1]);
        parent.addChildren(-1);
        touch(parent);
    }

    private void cutIfTooMany(int level, Fence joined) {
        if (level == 1 && joined.elements() > limits.most()) {
            cutElements();
        } else if (level > 1 && joined.children() > limits.most()) {
            cutPage(level - 1);
        } else if (level == tree.levels()) {
            lowerTop();
        } else if (pages[level + 1].at(indexes[level + 1]).children() < limits.fewest()) {
            join(level + 1);
        }
    }

    /** A single fence at the top tells nothing that the set's size does not. */
    private void lowerTop() {
        FencePage page = pages[tree.levels()];
        if (page.size() > 1) {
            return;
        }
        Fence last = page.at(0);
        if (tree.levels() == 1) {
            tree.withoutFences();
            tree.small(last.stretch());
        } else {
            tree.top(pageOf(last, Places.END));
        }
        drop(last);
    }

    private Fence newFence(Fence fence) {
        tree.grow(fence.memoryBytes());
        touch(fence);
        return fence;
    }

    private void drop(Fence fence) {
        tree.grow(-fence.memoryBytes());
        keep(fence, null);
        fence.remove();
        touch(fence);
    }

    private void touch(Fence fence) {
        if (fence.touch()) {
            touched.add(fence);
        }
    }

    /** Writes the rows of the fences whose counts changed. */
    void write() {
        // Deletes first: a fence may have gone and another come at the same place.
        for (Fence fence : touched) {
            if (fence.isGone() && fence.isWritten()) {
                rows.delete(work, fence);
            }
        }
        for (Fence fence : touched) {
            fence.untouch();
            if (!fence.isGone() && fence.differsFromRow()) {
                rows.put(work, fence);
                fence.wasWritten();
            }
        }
        touched.clear();
    }
}
