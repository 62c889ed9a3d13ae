package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counted fences of one collection, used by one unit of work: a counted B-tree that gives the number of elements
 * before a place without walking over them. {@link FenceLimits} bounds the children of each fence:
 *
 * <pre>
 * level 2:  |start 143 in 2 .................|k 131 in 2 .................
 * level 1:  |start 64 ......|e 79 ...........|k 66 ..........|q 65 .......
 * elements: a b c d ...      e f g h ...      k l m n ...     q r s t ...
 * </pre>
 *
 * A new or removed element changes one count on each level. {@link #write()} writes one row for each fence whose
 * counts differ from its row.
 */
final class Fences {
    private final FenceLimits limits;
    private final WriteSet work;
    private final FenceTree tree;
    private final OrderRows orders;
    private final FenceRows rows;
    private final FencePath path;
    private final List<Fence> touched = new ArrayList<>();

    Fences(WriteSet work, OrderRows orders, FenceTree tree) {
        this.limits = tree.limits;
        this.work = work;
        this.tree = tree;
        this.orders = orders;
        this.rows = new FenceRows(orders.table(), tree.id, orders.ordering());
        this.path = new FencePath(work, tree, orders, rows);
    }

    FencePath path() {
        return path;
    }

    /** Counts an element added at the place; its order row is written already. */
    void added(Bytes place, Bytes value) {
        path.descend(place);
        count(1);
        Fence leaf = path.leaf();
        SmallOrder known = leaf.stretch();
        if (known != null) {
            path.keep(
                    leaf,
                    known.with(orders.key(place).bytes(), orders.ordering().cached(value)));
        }
        if (leaf.elements() > limits.most()) {
            splitLeaf();
        }
    }

    /** Counts an element removed from the place; its order row is deleted already. */
    void removed(Bytes place) {
        path.descend(place);
        count(-1);
        Fence leaf = path.leaf();
        SmallOrder known = leaf.stretch();
        if (known != null) {
            path.keep(leaf, known.without(orders.key(place).bytes()));
        }
        if (leaf.elements() < limits.fewest()) {
            merge(1);
        }
    }

    private void count(int difference) {
        for (int level = tree.levels(); level > 0; level--) {
            Fence fence = path.fence(level);
            fence.add(difference);
            touch(fence);
        }
    }

    /** Creates the first two fences of a collection that has more elements than one fence covers. */
    void createFences(long size, @Nullable SmallOrder all) {
        FencePage page = new FencePage(1, 4);
        Fence first = newFence(Fence.leaf(SortKeys.START, size));
        path.keep(first, all);
        page.add(first);
        tree.top(page);
        path.begin();
        path.step(1, page, 0);
        splitLeaf();
    }

    /** Splits the stretch that the path leads to. */
    private void splitLeaf() {
        Fence lower = path.leaf();
        int kept = (int) lower.elements() / 2;
        SmallOrder known = lower.stretch();
        Bytes middle = known == null
                ? orders.nth(work, path.startOf(lower), path.endOf(1), kept)
                : OrderRows.placeOf(known.key(kept)).copy();
        Fence upper = newFence(Fence.leaf(middle, lower.elements() - kept));
        lower.add(-upper.elements());
        if (known != null) {
            path.keep(upper, known.between(kept, known.size()));
            path.keep(lower, known.between(0, kept));
        }
        path.page(1).insert(path.index(1) + 1, upper);
        pageGrew(1);
    }

    /** Accounts for one fence more in the path's page on this level. */
    private void pageGrew(int level) {
        FencePage page = path.page(level);
        if (level < tree.levels()) {
            Fence parent = path.fence(level + 1);
            parent.addChildren(1);
            touch(parent);
        }
        if (page.size() > limits.most()) {
            splitPage(level);
        }
    }

    private void splitPage(int level) {
        FencePage lower = path.page(level);
        FencePage upper = lower.split();
        Fence next = newFence(Fence.over(upper.at(0).place, upper));
        if (level == tree.levels()) {
            FencePage top = new FencePage(level + 1, 4);
            top.add(newFence(Fence.over(SortKeys.START, lower)));
            top.add(next);
            tree.top(top);
            return;
        }
        Fence parent = path.fence(level + 1);
        parent.recount(lower);
        touch(parent);
        path.page(level + 1).insert(path.index(level + 1) + 1, next);
        pageGrew(level + 1);
    }

    /**
     * Merges the path's fence, which covers too few, with its neighbour, and splits the result if it covers too many.
     */
    private void merge(int level) {
        FencePage page = path.page(level);
        if (page.size() == 1) {
            return;
        }
        // Merges into the previous neighbour if there is one: so the fence at the start always survives.
        if (path.index(level) > 0) {
            path.stepBack(level);
        }
        int index = path.index(level);
        Fence left = page.at(index);
        Fence right = page.at(index + 1);
        Bytes end = index + 2 < page.size() ? page.at(index + 2).place : path.pageEnd(level);
        if (level == 1) {
            SmallOrder joined = joined(left, right, end);
            left.add(right.elements());
            path.keep(left, joined);
        } else {
            FencePage joined = path.pageOf(left, right.place);
            joined.merge(path.pageOf(right, end));
            left.recount(joined);
            path.replace(level - 1, joined, end);
        }
        touch(left);
        page.remove(index + 1);
        drop(right);
        pageShrank(level);
        splitIfTooLarge(level, left);
    }

    /**
     * The elements behind two neighbours, if those of one are cached. Then it reads the other's: where elements are
     * popped from an end, a later read of both would walk over the tombstones of all that were popped.
     */
    private @Nullable SmallOrder joined(Fence left, Fence right, Bytes end) {
        if (left.stretch() == null && right.stretch() == null) {
            return null;
        }
        SmallOrder first = path.elements(left, right.place);
        SmallOrder second = path.elements(right, end);
        return first == null || second == null ? null : first.followedBy(second);
    }

    /** Accounts for one fence fewer in the path's page on this level. */
    private void pageShrank(int level) {
        if (level == tree.levels()) {
            return;
        }
        Fence parent = path.fence(level + 1);
        parent.addChildren(-1);
        touch(parent);
    }

    private void splitIfTooLarge(int level, Fence joined) {
        if (level == 1 && joined.elements() > limits.most()) {
            splitLeaf();
        } else if (level > 1 && joined.children() > limits.most()) {
            splitPage(level - 1);
        } else if (level == tree.levels()) {
            lowerTop();
        } else if (path.fence(level + 1).children() < limits.fewest()) {
            merge(level + 1);
        }
    }

    /** Removes a level with a single fence, which adds nothing to the collection's size. */
    private void lowerTop() {
        FencePage page = path.page(tree.levels());
        if (page.size() > 1) {
            return;
        }
        Fence last = page.at(0);
        if (tree.levels() == 1) {
            tree.withoutFences();
            tree.small(last.stretch());
        } else {
            tree.top(path.pageOf(last, SortKeys.END));
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
        path.keep(fence, null);
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
        // Deletes first: a fence may be deleted and another created at the same place.
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
