package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the elements of a sorted set, ascending or descending. It holds a cursor of the store: close it soon.
 */
public final class ElementCursor implements AutoCloseable {
    public static final ElementCursor NONE = new ElementCursor(null, false);

    private final @Nullable Cursor rows;

    /** Whether the rows are at an element that {@link #next()} has not shown yet. */
    private boolean waiting;

    /** Takes rows that are already at the first one, if there is {@code any}. */
    ElementCursor(@Nullable Cursor rows, boolean any) {
        this.rows = rows;
        this.waiting = any;
    }

    /** Skips the next elements. */
    public ElementCursor skip(long elements) {
        for (long i = 0; i < elements && next(); i++) {
            // Only moves.
        }
        return this;
    }

    public boolean next() {
        if (rows == null || !(waiting || rows.next())) {
            return false;
        }
        waiting = false;
        return true;
    }

    /** The place of the current element; unlike {@link #element} it is not charged as read. */
    public Bytes place() {
        return OrderRows.placeOf(row().keySlice().toBytes());
    }

    /** As {@link #place}, the member of the current element. */
    public Bytes member() {
        return SortKeys.member(place());
    }

    public Element element() {
        Bytes place = OrderRows.placeOf(row().key());
        return new Element(OrderRows.scoreOf(place, row().value()), SortKeys.member(place));
    }

    /** As {@link #element}, but not charged as read: a caller that keeps it charges it. */
    public Element elementUncharged() {
        Bytes place = place();
        return new Element(OrderRows.scoreOf(place, row().valueSlice().toBytes()), SortKeys.member(place));
    }

    private Cursor row() {
        Cursor row = rows;
        if (row == null) {
            throw new IllegalStateException("there is no element");
        }
        return row;
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        }
    }
}
