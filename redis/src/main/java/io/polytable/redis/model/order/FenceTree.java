package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.write.WriteSet;
import org.jspecify.annotations.Nullable;

/**
 * The cached part of one collection's order: the fences read so far and elements behind them, or all elements of a
 * small collection, and bounds of the first and the last element. Rows are the truth: all of this can be read again at
 * any time.
 *
 * <p>It belongs to a collection's id. Whoever uses it holds the stripe of the key that has the collection, so one
 * thread uses it at a time. A unit of work that changes it owns it until its commit succeeds. If the commit fails,
 * every later unit finds the tree owned by another and builds a new one from the rows, so a failed commit needs no
 * cleanup.
 */
final class FenceTree {
    final long id;
    final FenceLimits limits;
    private int levels;
    private @Nullable FencePage top;

    /** No element is before this place. */
    private Bytes floor = SortKeys.START;

    /** All elements are before this place; {@link SortKeys#END} when the bound is not known. */
    private Bytes ceiling = SortKeys.END;

    /** All elements, if the collection has no fences and its order was asked for. */
    private @Nullable SmallOrder small;

    private @Nullable WriteSet owner;
    private long unit;

    private long memoryBytes = 200;

    /** The bytes that the cache counted, and whether it still has the tree; the cache's lock guards both. */
    long countedBytes;

    volatile boolean cached;

    FenceTree(long id, FenceLimits limits, int levels) {
        this.id = id;
        this.limits = limits;
        this.levels = levels;
    }

    int levels() {
        return levels;
    }

    @Nullable
    FencePage top() {
        return top;
    }

    /** Makes the page the highest level; its level is then the number of levels. */
    void top(FencePage page) {
        top = page;
        levels = page.level();
    }

    void withoutFences() {
        top = null;
        levels = 0;
    }

    Bytes floor() {
        return floor;
    }

    Bytes ceiling() {
        return ceiling;
    }

    void nothingBefore(Bytes place) {
        floor = place.copy();
    }

    void nothingAfter(Bytes place) {
        // Called for every walk from the end, and mostly known already.
        if (ceiling.length() != place.length() + 1 || !ceiling.startsWith(place)) {
            ceiling = SortKeys.after(place);
        }
    }

    @Nullable
    SmallOrder small() {
        return small;
    }

    void small(@Nullable SmallOrder next) {
        replaces(small, next);
        small = next;
    }

    /** Accounts for the memory of cached elements that were added, changed or dropped. */
    void replaces(@Nullable SmallOrder before, @Nullable SmallOrder after) {
        grow((after == null ? 0 : after.memoryBytes()) - (before == null ? 0 : before.memoryBytes()));
    }

    /** Widens the known bounds to a new element. */
    void reaches(Bytes place) {
        if (place.compareTo(floor) < 0) {
            floor = place.copy();
        }
        if (!ceiling.isEmpty() && place.compareTo(ceiling) >= 0) {
            ceiling = SortKeys.after(place);
        }
    }

    boolean usableIn(WriteSet work) {
        return owner == null || (owner == work && unit == work.unit());
    }

    /** Marks that the tree shows uncommitted writes of this unit: it is usable by others only after the commit. */
    void changesIn(WriteSet work) {
        if (owner == null) {
            owner = work;
            unit = work.unit();
            work.afterCommit(this::settle);
        }
    }

    private void settle() {
        WriteSet work = owner;
        // After a rollback the tree shows rows that were undone, so it stays unusable.
        if (work != null && unit == work.unit()) {
            owner = null;
        }
    }

    void grow(long bytes) {
        memoryBytes += bytes;
    }

    long memoryBytes() {
        return memoryBytes;
    }

    /** Drops all fences but the highest ones, which are few. */
    void prune() {
        FencePage page = top;
        if (page == null || levels == 1) {
            return;
        }
        for (int i = 0; i < page.size(); i++) {
            page.at(i).page(null);
        }
        memoryBytes = 200 + (long) page.size() * page.at(page.size() - 1).memoryBytes();
    }
}
