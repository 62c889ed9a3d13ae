package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.WriteSet;
import org.jspecify.annotations.Nullable;

/**
 * What is in memory of one sorted set's order: the fences read so far and elements behind them, or all elements if they
 * are few, and how far its first and last elements may be from the ends. All of it can be read again from rows at any
 * time; nothing here is the truth.
 *
 * <p>It belongs to a collection's id. Whoever uses it holds the stripe of the key that has the collection, so it is
 * used by one thread at a time. A unit of work that changes it owns it until its commit succeeds. If that never
 * happens, every later unit finds it owned by another and reads a new one from the rows: a failed commit needs nobody
 * to clean up.
 */
final class FenceTree {
    final long id;
    final FenceLimits limits;
    private int levels;
    private @Nullable FencePage top;

    /** No element stands before this place. */
    private Bytes floor = SortKeys.START;

    /** All elements stand before this place; {@link SortKeys#END} when that is not known. */
    private Bytes ceiling = SortKeys.END;

    /** All elements, if the set has no fences and somebody asked for its order. */
    private @Nullable SmallOrder small;

    private @Nullable WriteSet owner;
    private long unit;

    private long memoryBytes = 200;

    /** What the cache counted, and whether it still has the tree; the cache's lock guards both. */
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

    /** Puts a page at the top; its level is the number of levels. */
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
        // Asked for at every walk from the end, and mostly known already.
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

    /** Elements in memory came, went or changed: counts what they take. */
    void replaces(@Nullable SmallOrder before, @Nullable SmallOrder after) {
        grow((after == null ? 0 : after.memoryBytes()) - (before == null ? 0 : before.memoryBytes()));
    }

    /** An element came to stand here: the known ends move out to it. */
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

    /** From now on the tree shows what this unit of work wrote, and is worth something only if that is committed. */
    void changesIn(WriteSet work) {
        if (owner == null) {
            owner = work;
            unit = work.unit();
            work.afterCommit(this::settle);
        }
    }

    private void settle() {
        WriteSet work = owner;
        // After a rollback the tree shows rows that were taken back: it stays unusable.
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

    /** Forgets all fences but the highest ones, which are few. */
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
