package io.polytable.redis.model.list;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.change.EventClass;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.table.ByteSlice;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Operations on lists: one row per element under its place, and the place of the first one in the header. A push or a
 * pop writes the element's row and the header, whatever the length. {@link ListShape} describes changes in the middle.
 */
public final class Lists {
    private static final KeyEvent LSET = event("lset");
    private static final KeyEvent LTRIM = event("ltrim");
    private static final KeyEvent LINSERT = event("linsert");
    private static final KeyEvent LREM = event("lrem");
    private static final KeyEvent LPUSH = event("lpush");
    private static final KeyEvent RPUSH = event("rpush");
    private static final KeyEvent LPOP = event("lpop");
    private static final KeyEvent RPOP = event("rpop");

    private static KeyEvent event(String name) {
        return new KeyEvent(EventClass.LIST, name);
    }

    private static KeyEvent pushed(ListEnd end) {
        return end == ListEnd.LEFT ? LPUSH : RPUSH;
    }

    private static KeyEvent popped(ListEnd end) {
        return end == ListEnd.LEFT ? LPOP : RPOP;
    }

    /** Pushes one after the other and answers the new length. */
    public long push(Space space, Bytes key, ListEnd end, List<Bytes> values) {
        return push(space, key, new OpenList(space, key, space.collectionOrNew(key, Type.LIST)), end, values);
    }

    /** As {@link #push} if the list exists; otherwise answers zero. */
    public long pushIfPresent(Space space, Bytes key, ListEnd end, List<Bytes> values) {
        Optional<OpenList> list = open(space, key);
        return list.isEmpty() ? 0 : push(space, key, list.get(), end, values);
    }

    private static long push(Space space, Bytes key, OpenList list, ListEnd end, List<Bytes> values) {
        for (Bytes value : values) {
            list.push(end, value);
        }
        list.save();
        space.changed(key, pushed(end));
        return list.size();
    }

    /** Replaces whatever the key held by these elements; none removes the key. */
    public void store(Space space, Bytes key, List<Bytes> values, KeyEvent event) {
        if (values.isEmpty()) {
            space.remove(key);
            return;
        }
        OpenList list = new OpenList(space, key, space.newCollection(key, Type.LIST));
        for (Bytes value : values) {
            list.push(ListEnd.RIGHT, value);
        }
        list.save();
        space.changed(key, event);
    }

    /** Pops up to {@code count} elements; absent when there is no list. */
    public Optional<List<Bytes>> pop(Space space, Bytes key, ListEnd end, long count) {
        Optional<OpenList> list = open(space, key);
        if (list.isEmpty() || count == 0) {
            return list.map(present -> List.of());
        }
        List<Bytes> taken = list.get().pop(end, Math.min(count, list.get().size()));
        space.changed(key, popped(end));
        list.get().save();
        return Optional.of(taken);
    }

    /** Moves an element between ends of two lists, or of the same list; absent when the source does not exist. */
    public Optional<Bytes> move(Space space, Bytes from, ListEnd fromEnd, Bytes to, ListEnd toEnd) {
        Optional<OpenList> source = open(space, from);
        if (source.isEmpty()) {
            return Optional.empty();
        }
        OpenList list = source.get();
        Bytes value = list.get(fromEnd == ListEnd.LEFT ? 0 : list.size() - 1);
        if (from.equals(to)) {
            rotate(list, fromEnd, toEnd, value);
            space.changed(to, pushed(toEnd));
            space.changed(from, popped(fromEnd));
            return Optional.of(value);
        }
        // As in Redis the push becomes visible before the pop.
        long unusedSize = push(space, to, toEnd, List.of(value));
        list.drop(fromEnd, 1);
        space.changed(from, popped(fromEnd));
        list.save();
        return Optional.of(value);
    }

    private static void rotate(OpenList list, ListEnd fromEnd, ListEnd toEnd, Bytes value) {
        if (fromEnd != toEnd && list.size() > 1) {
            list.push(toEnd, value);
            list.drop(fromEnd, 1);
            list.save();
        }
    }

    public long size(Space space, Bytes key) {
        return header(space, key).map(CollectionHeader::size).orElse(0L);
    }

    /** The element at the index; a negative one counts from the end. */
    public Optional<Bytes> get(Space space, Bytes key, long index) {
        Optional<OpenList> list = open(space, key);
        if (list.isEmpty()) {
            return Optional.empty();
        }
        long at = index < 0 ? list.get().size() + index : index;
        return at < 0 || at >= list.get().size()
                ? Optional.empty()
                : Optional.of(list.get().get(at));
    }

    /**
     * Replaces the element at the index.
     *
     * @throws RedisError when there is no list, or no such element in it
     */
    public void set(Space space, Bytes key, long index, Bytes value) {
        OpenList list = open(space, key).orElseThrow(() -> RedisError.NO_SUCH_KEY);
        long at = index < 0 ? list.size() + index : index;
        if (at < 0 || at >= list.size()) {
            throw RedisError.INDEX_OUT_OF_RANGE;
        }
        list.set(at, value);
        space.changed(key, LSET);
    }

    /** The elements from one index to another, both included; negative indexes count from the end. */
    public List<Bytes> range(Space space, Bytes key, long start, long stop) {
        Optional<OpenList> list = open(space, key);
        if (list.isEmpty()) {
            return List.of();
        }
        Span span = Span.of(start, stop, list.get().size());
        return span.isEmpty() ? List.of() : list.get().values(span.first, span.count());
    }

    /** Removes all elements outside the range of indexes. */
    public void trim(Space space, Bytes key, long start, long stop) {
        Optional<OpenList> found = open(space, key);
        if (found.isEmpty()) {
            return;
        }
        OpenList list = found.get();
        Span kept = Span.of(start, stop, list.size());
        space.changed(key, LTRIM);
        if (kept.isEmpty()) {
            list.drop(ListEnd.LEFT, list.size());
            list.save();
        } else if (kept.count() < list.size()) {
            long behind = list.size() - kept.end;
            list.drop(ListEnd.LEFT, kept.first);
            list.drop(ListEnd.RIGHT, behind);
            list.save();
        }
    }

    /** A range of existing indexes, {@code end} exclusive. */
    private record Span(long first, long end) {
        static Span of(long start, long stop, long size) {
            long from = Math.max(0, start < 0 ? size + start : start);
            long last = Math.min(size - 1, stop < 0 ? size + stop : stop);
            return new Span(from, last + 1);
        }

        boolean isEmpty() {
            return first >= end;
        }

        long count() {
            return end - first;
        }
    }

    /**
     * Inserts before or after the first element equal to the pivot. Answers the new length, 0 when there is no list,
     * -1 when there is no such element.
     */
    public long insert(Space space, Bytes key, boolean before, Bytes pivot, Bytes value) {
        Optional<OpenList> found = open(space, key);
        if (found.isEmpty()) {
            return 0;
        }
        OpenList list = found.get();
        OptionalLong hit = find(list, pivot);
        if (hit.isEmpty()) {
            return -1;
        }
        long at = before ? hit.getAsLong() : hit.getAsLong() + 1;
        if (at == 0) {
            list.push(ListEnd.LEFT, value);
        } else if (at == list.size()) {
            list.push(ListEnd.RIGHT, value);
        } else {
            list.insert(at, value);
        }
        list.save();
        space.changed(key, LINSERT);
        return list.size();
    }

    /** Compares the element as a slice: elements that are only passed are not charged as read. */
    private static boolean isOn(Cursor cursor, Bytes value) {
        ByteSlice element = cursor.valueSlice();
        return element.length() == value.length() && element.compareWith(value) == 0;
    }

    private static OptionalLong find(OpenList list, Bytes wanted) {
        try (Cursor cursor = list.from(0, Direction.FORWARD, list.size())) {
            for (long index = 0; cursor.next(); index++) {
                if (isOn(cursor, wanted)) {
                    return OptionalLong.of(index);
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Removes elements equal to the value: the first {@code count}, the last ones when negative, all when zero. */
    public long remove(Space space, Bytes key, long count, Bytes value) {
        Optional<OpenList> found = open(space, key);
        if (found.isEmpty()) {
            return 0;
        }
        OpenList list = found.get();
        Hits hits = hits(list, count, value);
        if (hits.count() == 0) {
            return 0;
        }
        if (hits.count() == list.size()) {
            list.drop(ListEnd.LEFT, list.size());
        } else {
            list.remove(hits);
        }
        space.changed(key, LREM);
        list.save();
        return hits.count();
    }

    private static Hits hits(OpenList list, long count, Bytes value) {
        Hits hits = new Hits(!list.isDense());
        // As in Redis the lowest number, which cannot be negated, means all.
        long most = count == 0 || count == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(count);
        boolean forward = count >= 0;
        Direction direction = forward ? Direction.FORWARD : Direction.REVERSE;
        long size = list.size();
        try (Cursor cursor = list.from(forward ? 0 : size - 1, direction, size)) {
            for (long step = 0; hits.count() < most && cursor.next(); step++) {
                if (isOn(cursor, value)) {
                    hits.add(forward ? step : size - 1 - step, list.place(cursor));
                }
            }
        }
        return forward ? hits : hits.reversed();
    }

    /** The indexes of elements equal to a value. */
    public List<Long> positions(Space space, Bytes key, Bytes value, Search search) {
        Optional<OpenList> found = open(space, key);
        if (found.isEmpty()) {
            return List.of();
        }
        OpenList list = found.get();
        boolean forward = search.rank > 0;
        long size = list.size();
        long looked = search.looked == 0 ? size : Math.min(size, search.looked);
        long most = search.count == 0 ? Long.MAX_VALUE : search.count;
        long passed = Math.abs(search.rank) - 1;
        List<Long> positions = new ArrayList<>();
        try (Cursor cursor =
                list.from(forward ? 0 : size - 1, forward ? Direction.FORWARD : Direction.REVERSE, looked)) {
            for (long step = 0; positions.size() < most && cursor.next(); step++) {
                if (isOn(cursor, value) && passed-- <= 0) {
                    space.keep(Long.BYTES);
                    positions.add(forward ? step : size - 1 - step);
                }
            }
        }
        return Collections.unmodifiableList(positions);
    }

    /**
     * The options of LPOS.
     *
     * @param rank the first match that counts, from 1 on; negative to search from the end
     * @param count the number of matches; zero for all
     * @param looked the number of elements to compare at most; zero for all
     */
    public record Search(long rank, long count, long looked) {}

    static Optional<CollectionHeader> header(Space space, Bytes key) {
        return space.collection(key, Type.LIST);
    }

    private static Optional<OpenList> open(Space space, Bytes key) {
        return header(space, key).map(header -> new OpenList(space, key, header));
    }
}
