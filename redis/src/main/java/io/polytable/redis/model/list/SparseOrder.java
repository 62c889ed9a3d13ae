package io.polytable.redis.model.list;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.order.ElementCursor;
import io.polytable.redis.model.order.FenceLimits;
import io.polytable.redis.model.order.FencePlan;
import io.polytable.redis.model.order.FenceRows;
import io.polytable.redis.model.order.OrderIndex;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The order of a list that was changed in its middle: places with gaps, and fences that count them. */
final class SparseOrder {
    private final WriteSet work;
    private final Table table;
    private final RedisTables tables;
    private final CollectionHeader header;
    private final OrderRows rows;
    private Bytes head;
    private Bytes tail;
    private int levels;

    /** The number of elements with which to open the index. */
    private long size;

    private @Nullable OrderIndex index;

    SparseOrder(UnitOfWork unit, CollectionHeader header, ListShape.Sparse shape) {
        this.work = unit.writes();
        this.tables = unit.tables();
        this.table = tables.elements(header.home());
        this.header = header;
        this.rows = new OrderRows(table, header.id(), Ordering.POSITIONS);
        this.head = shape.head();
        this.tail = shape.tail();
        this.levels = shape.levels();
        this.size = header.size();
    }

    /** The order of a dense list that has just lost these elements in its middle; their rows are deleted already. */
    static SparseOrder without(UnitOfWork unit, CollectionHeader header, ListShape.Dense dense, long size, Hits gone) {
        long left = size - gone.count();
        long leading = gone.leading();
        long trailing = gone.trailing(size);
        Bytes head = ListSortKeys.of(dense.first() + leading);
        Bytes tail = ListSortKeys.of(dense.first() + size - 1 - trailing);
        SparseOrder order = new SparseOrder(unit, header, new ListShape.Sparse(0, head, tail));
        order.plan(left, new Survivors(dense.first(), gone));
        return order;
    }

    /** Iterates over the positions that were not removed. */
    private static final class Survivors implements LongFunction<Bytes> {
        private final long first;
        private final Hits gone;
        private long at;
        private int hit;

        Survivors(long first, Hits gone) {
            this.first = first;
            this.gone = gone;
        }

        @Override
        public Bytes apply(long number) {
            while (hit < gone.count() && gone.index(hit) == at) {
                hit++;
                at++;
            }
            return ListSortKeys.of(first + at++);
        }
    }

    /** The order of a dense list that is about to become sparse, with all its elements. */
    static SparseOrder of(UnitOfWork unit, CollectionHeader header, ListShape.Dense dense, long size) {
        Bytes tail = ListSortKeys.of(dense.first() + size - 1);
        SparseOrder order =
                new SparseOrder(unit, header, new ListShape.Sparse(0, ListSortKeys.of(dense.first()), tail));
        order.plan(size, number -> ListSortKeys.of(dense.first() + number));
        return order;
    }

    /** Writes the fences of the elements at these places; there are no fences yet. */
    private void plan(long elements, LongFunction<Bytes> places) {
        FencePlan plan = new FencePlan(elements, FenceLimits.STANDARD);
        FenceRows fences = new FenceRows(table, header.id(), Ordering.POSITIONS);
        for (long i = 0; plan.levels() > 0 && i < elements; i++) {
            plan.pass(work, fences, places.apply(i));
        }
        tables.fences().drop(header.id());
        index = null;
        levels = plan.levels();
        size = elements;
    }

    ListShape.Sparse shape() {
        return new ListShape.Sparse(levels, head, tail);
    }

    private OrderIndex index() {
        OrderIndex open = index;
        if (open == null) {
            OrderIndex.Shape shape = new OrderIndex.Shape(Ordering.POSITIONS, header.id(), size, levels);
            open = new OrderIndex(work, table, tables.fences(), shape);
            index = open;
        }
        return open;
    }

    /** Writes the fence rows of all changes so far. */
    void write() {
        OrderIndex open = index;
        if (open != null) {
            open.write();
            levels = open.levels();
        }
    }

    Bytes place(long number, long count) {
        if (number == 0 || number == count - 1) {
            return number == 0 ? head : tail;
        }
        try (ElementCursor cursor = index().from(number, Direction.FORWARD, 1)) {
            if (cursor.next()) {
                return cursor.place().copy();
            }
        }
        throw damaged(header.id(), "Index of a list has fewer elements than its header says");
    }

    void push(ListEnd end, Bytes value) {
        if (end == ListEnd.LEFT) {
            head = ListSortKeys.of(ListSortKeys.position(head) - 1);
            index().insert(head, value);
        } else {
            tail = ListSortKeys.of(ListSortKeys.position(tail) + 1);
            index().insert(tail, value);
        }
    }

    /** Removes elements, not all, from the end. Costs as many steps as are removed or kept, whichever is less. */
    void drop(ListEnd end, long gone, long count) {
        if (gone > FenceLimits.STANDARD.most() && gone > count / 2) {
            keep(end, gone, count);
            return;
        }
        List<Bytes> places = new ArrayList<>();
        try (Cursor cursor = fromEnd(end, gone + 1)) {
            while (cursor.next()) {
                places.add(OrderRows.placeOf(cursor.key()).copy());
            }
        }
        if (places.size() != gone + 1) {
            throw damaged(header.id(), "List has fewer elements than its header says");
        }
        Bytes outermost = places.remove((int) gone);
        places.forEach(index()::remove);
        if (end == ListEnd.LEFT) {
            head = outermost;
        } else {
            tail = outermost;
        }
    }

    private Cursor fromEnd(ListEnd end, long limit) {
        return end == ListEnd.LEFT
                ? rows.scan(work, head, SortKeys.END, Direction.FORWARD, limit)
                : rows.scan(work, SortKeys.START, ListSortKeys.after(tail), Direction.REVERSE, limit);
    }

    /** Removes most elements from the end: deletes them as a range and writes new fences for the rest. */
    private void keep(ListEnd end, long gone, long count) {
        if (end == ListEnd.LEFT) {
            Bytes next = place(gone, count);
            work.deleteRange(table, rows.range(head, next));
            head = next;
        } else {
            Bytes next = place(count - 1 - gone, count);
            work.deleteRange(table, rows.range(ListSortKeys.after(next), ListSortKeys.after(tail)));
            tail = next;
        }
        work.deleteRange(table, new FenceRows(table, header.id(), Ordering.POSITIONS).all());
        try (Cursor cursor = fromEnd(ListEnd.LEFT, count - gone)) {
            plan(count - gone, number -> next(cursor));
        }
    }

    private Bytes next(Cursor cursor) {
        if (!cursor.next()) {
            throw damaged(header.id(), "List has fewer elements than its header says");
        }
        return OrderRows.placeOf(cursor.key());
    }

    /** Removes elements, not all. */
    void remove(Hits hits, long count) {
        Bytes newHead = place(hits.leading(), count);
        Bytes newTail = place(count - 1 - hits.trailing(count), count);
        hits.places().forEach(index()::remove);
        head = newHead;
        tail = newTail;
    }

    /** Inserts an element before the one with this index, which is not the first. */
    void insert(long number, Bytes value, long count) {
        Bytes lower = place(number - 1, count);
        Bytes upper = place(number, count);
        Optional<Bytes> between = ListSortKeys.between(lower, upper);
        if (between.isPresent()) {
            index().insert(between.get(), value);
        } else {
            spread(lower, value);
        }
    }

    private record Row(Bytes place, Bytes value) {}

    /** Gives new places to all elements inserted after the same position, including the new one after {@code lower}. */
    private void spread(Bytes lower, Bytes value) {
        long position = ListSortKeys.position(lower);
        List<Row> inserted = new ArrayList<>();
        Bytes from = ListSortKeys.after(ListSortKeys.of(position));
        try (Cursor cursor = rows.scan(work, from, ListSortKeys.of(position + 1), Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                inserted.add(new Row(
                        OrderRows.placeOf(cursor.key()).copy(), cursor.value().copy()));
            }
        }
        inserted.forEach(row -> index().remove(row.place));
        int at = 0;
        while (at < inserted.size() && inserted.get(at).place.compareTo(lower) <= 0) {
            at++;
        }
        boolean wasTail =
                !inserted.isEmpty() && inserted.get(inserted.size() - 1).place.equals(tail);
        boolean wasHead = !inserted.isEmpty() && inserted.get(0).place.equals(head);
        inserted.add(at, new Row(lower, value));
        List<Bytes> places = ListSortKeys.spread(position, inserted.size());
        for (int i = 0; i < places.size(); i++) {
            index().insert(places.get(i), inserted.get(i).value);
        }
        head = wasHead ? places.get(0) : head;
        tail = wasTail ? places.get(places.size() - 1) : tail;
    }

    static StoreException damaged(long id, String text) {
        return OrderRows.damaged(id, text);
    }
}
