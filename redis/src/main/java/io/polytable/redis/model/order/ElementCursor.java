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

    /** Whether the rows stand on an element that {@link #next()} has not shown yet. */
    private boolean waiting;

    /** Over rows that have been moved to the first one already, if there is any. */
    ElementCursor(@Nullable Cursor rows, boolean any) {
        this.rows = rows;
        this.waiting = any;
    }

    /** Leaves out the next elements. */
    public ElementCursor skip(long elements) {
        for (long i = 0; i < elements && next(); i++) {
            // Stepping is all.
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

    /** Of the element on which the cursor stands; unlike {@link #element} it does not count as read. */
    public Bytes place() {
        return OrderRows.placeOf(row().keySlice().toBytes());
    }

    /** As {@link #place}. */
    public Bytes member() {
        return SortKeys.member(place());
    }

    public Element element() {
        Bytes place = OrderRows.placeOf(row().key());
        return new Element(OrderRows.scoreOf(place, row().value()), SortKeys.member(place));
    }

    /** As {@link #element}, but not counted as read: who keeps it says so. */
    public Element glimpse() {
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
