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

    private Bytes place = SortKeys.START;
    private Bytes value = Bytes.EMPTY;

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
        place = OrderRows.placeOf(rows.key());
        value = rows.value();
        return true;
    }

    public Bytes place() {
        return place;
    }

    public Bytes member() {
        return SortKeys.member(place);
    }

    public double score() {
        return OrderRows.scoreOf(place, value);
    }

    public Element element() {
        return new Element(score(), member());
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        }
    }
}
