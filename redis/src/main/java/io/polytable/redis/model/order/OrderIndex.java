package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import org.jspecify.annotations.Nullable;

/**
 * The order of one collection's elements, opened for one call of the model: one row per element, and {@link Fences}
 * that make ranks cost about the same in a collection of any size. Whoever changes it calls {@link #write()} after the
 * last change and stores {@link #size()} and {@link #levels()} in the collection's header.
 */
public final class OrderIndex {
    private final WriteSet work;
    private final FenceCache cache;
    private final FenceTree tree;
    private final OrderRows rows;
    private long size;
    private boolean worthKeeping;
    private @Nullable Fences fences;

    public OrderIndex(WriteSet work, Table table, FenceCache cache, Shape shape) {
        this.work = work;
        this.cache = cache;
        this.tree = cache.open(work, shape.id, shape.levels);
        this.rows = new OrderRows(table, shape.id, shape.ordering);
        this.size = shape.size;
    }

    /** The part of the collection's header that the index needs; {@code levels} is the number of fence levels. */
    public record Shape(Ordering ordering, long id, long size, int levels) {}

    public long size() {
        return size;
    }

    public int levels() {
        return tree.levels();
    }

    private Fences fences() {
        Fences present = fences;
        if (present == null) {
            present = new Fences(work, rows, tree);
            fences = present;
        }
        return present;
    }

    /** Adds an element that does not exist yet. */
    public void insert(Bytes place, Bytes value) {
        tree.changesIn(work);
        rows.put(work, place, value);
        size++;
        tree.reaches(place);
        if (tree.levels() > 0) {
            fences().added(place, value);
            return;
        }
        SmallOrder few = tree.small();
        SmallOrder all = few == null
                ? null
                : few.with(rows.key(place).bytes(), rows.ordering().cached(value));
        if (size > tree.limits.most()) {
            tree.small(null);
            fences().createFences(size, all);
        } else {
            tree.small(all);
        }
    }

    /** Removes an element that exists. */
    public void remove(Bytes place) {
        tree.changesIn(work);
        rows.delete(work, place);
        size--;
        // Removed elements at the ends leave tombstones that the next walk would step over one by one.
        worthKeeping = true;
        SmallOrder few = tree.small();
        if (tree.levels() > 0) {
            fences().removed(place);
        } else if (few != null) {
            tree.small(few.without(rows.key(place).bytes()));
        }
    }

    /** Writes the fence rows of all changes so far. */
    public void write() {
        if (fences != null) {
            fences.write();
        }
        if (worthKeeping || tree.levels() > 0 || tree.small() != null) {
            cache.keep(tree);
        } else if (!tree.cached) {
            // The cache might still hold another tree that does not have these changes.
            cache.drop(tree.id);
        }
    }

    /** The number of elements before the place. */
    public long rank(Bytes place) {
        if (tree.levels() == 0) {
            return count(SortKeys.START, place);
        }
        FencePath.Stretch stretch = fences().path().at(place);
        SmallOrder near = keepsStretches() ? fences().path().elements() : null;
        cache.keep(tree);
        long within = near == null
                ? walk(stretch.from(), place)
                : near.rank(rows.key(place).bytes());
        return stretch.before() + within;
    }

    private boolean keepsStretches() {
        return tree.levels() > 0 && cache.hasRoomFor(size);
    }

    /** The number of elements from one place up to another, {@link SortKeys#END} for all that follow. */
    public long count(Bytes from, Bytes to) {
        if (isEmpty(from, to)) {
            return 0;
        }
        if (tree.levels() == 0) {
            return walk(from, to);
        }
        return (to.isEmpty() ? size : rank(to)) - (from.isEmpty() ? 0 : rank(from));
    }

    /** Counts by walking: for short stretches. */
    private long walk(Bytes from, Bytes to) {
        long count = 0;
        try (ElementCursor cursor = between(from, to, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    private static boolean isEmpty(Bytes from, Bytes to) {
        return !to.isEmpty() && from.compareTo(to) >= 0;
    }

    /** The element of this rank and those that follow it in the direction. */
    public ElementCursor from(long rank, Direction direction, long limit) {
        if (rank < 0 || rank >= size || limit <= 0) {
            return ElementCursor.NONE;
        }
        return direction == Direction.FORWARD ? upFrom(rank, limit) : downFrom(rank, limit);
    }

    private ElementCursor upFrom(long rank, long limit) {
        if (rank < tree.limits.most()) {
            return skipping(rank, SortKeys.START, SortKeys.END, Direction.FORWARD, limit);
        }
        FencePath.Stretch stretch = fences().path().at(rank);
        cache.keep(tree);
        return skipping(rank - stretch.before(), stretch.from(), SortKeys.END, Direction.FORWARD, limit);
    }

    private ElementCursor downFrom(long rank, long limit) {
        long behind = size - 1 - rank;
        if (behind < tree.limits.most()) {
            return skipping(behind, SortKeys.START, SortKeys.END, Direction.REVERSE, limit);
        }
        FencePath.Stretch stretch = fences().path().at(rank);
        cache.keep(tree);
        long skipped = stretch.before() + stretch.elements() - 1 - rank;
        return skipping(skipped, SortKeys.START, stretch.to(), Direction.REVERSE, limit);
    }

    private ElementCursor skipping(long skipped, Bytes from, Bytes to, Direction direction, long limit) {
        long all = limit > Long.MAX_VALUE - skipped ? Long.MAX_VALUE : limit + skipped;
        return between(from, to, direction, all).skip(skipped);
    }

    /** The elements from one place (inclusive) to another (exclusive, {@link SortKeys#END} for all that follow). */
    public ElementCursor between(Bytes from, Bytes to, Direction direction, long limit) {
        if (limit <= 0 || isEmpty(from, to)) {
            return ElementCursor.NONE;
        }
        SmallOrder near = null;
        if (tree.levels() == 0 && size <= tree.limits.most()) {
            near = few();
        } else if (keepsStretches() && limit <= 2L * tree.limits.most()) {
            near = nearby(from, to, direction, limit);
        }
        return near == null
                ? amongRows(from, to, direction, limit)
                : new ElementCursor(near.scan(rows.range(from, to), direction, limit), false);
    }

    /** All elements of a small collection; null when they are too large to cache. */
    private @Nullable SmallOrder few() {
        SmallOrder few = tree.small();
        if (few == null) {
            few = SmallOrder.of(
                    rows.scan(work, tree.floor(), tree.ceiling(), Direction.FORWARD, tree.limits.most() + 1L),
                    rows.ordering());
            tree.small(few);
            cache.keep(tree);
        }
        return few;
    }

    /**
     * Elements of the range from cached stretches: as many as asked for, or all there are. Null when they are too
     * large to cache.
     */
    private @Nullable SmallOrder nearby(Bytes from, Bytes to, Direction direction, long limit) {
        FencePath path = fences().path();
        boolean forward = direction == Direction.FORWARD;
        KeyRange range = rows.range(from, to);
        FencePath.Stretch at = forward || !to.isEmpty() ? path.at(forward ? from : to) : path.at(size - 1);
        SmallOrder found = SmallOrder.EMPTY;
        while (true) {
            SmallOrder stretch = path.elements();
            if (stretch == null) {
                return null;
            }
            SmallOrder part = stretch.within(range, direction, limit - found.size());
            found = forward ? found.followedBy(part) : part.followedBy(found);
            boolean last = forward
                    ? at.to().isEmpty() || (!to.isEmpty() && at.to().compareTo(to) >= 0)
                    : at.before() == 0 || at.from().compareTo(from) <= 0;
            if (last || found.size() >= limit) {
                cache.keep(tree);
                return found;
            }
            at = forward ? path.at(at.to()) : path.at(at.before() - 1);
        }
    }

    private ElementCursor amongRows(Bytes from, Bytes to, Direction direction, long limit) {
        boolean fromFirst = from.compareTo(tree.floor()) <= 0;
        boolean toLast =
                to.isEmpty() || (!tree.ceiling().isEmpty() && tree.ceiling().compareTo(to) <= 0);
        Bytes first = fromFirst ? tree.floor() : from;
        Bytes end = toLast ? tree.ceiling() : to;
        if (isEmpty(first, end)) {
            return ElementCursor.NONE;
        }
        Cursor cursor = rows.scan(work, first, end, direction, limit);
        boolean any = cursor.next();
        if (tree.cached && any) {
            learn(OrderRows.placeOf(cursor.key()), fromFirst, toLast, direction);
        } else if (tree.cached && fromFirst && !end.isEmpty()) {
            tree.nothingBefore(end);
        }
        return new ElementCursor(cursor, any);
    }

    /** Remembers the place of the first or the last element, so that the next walk skips the tombstones. */
    private void learn(Bytes found, boolean fromFirst, boolean toLast, Direction direction) {
        if (fromFirst && direction == Direction.FORWARD && !found.equals(tree.floor())) {
            tree.nothingBefore(found);
        }
        if (toLast && direction == Direction.REVERSE) {
            tree.nothingAfter(found);
        }
    }
}
