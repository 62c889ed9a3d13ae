package io.polytable.redis.model.list;

import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.row.ListBlocks;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One list, opened for one call of the model: maps indexes to elements in both shapes a list can have. Whoever changes
 * it calls {@link #save()} after the last change.
 */
final class OpenList {
    /** Beyond this many rows one range delete is cheaper than single deletes. */
    private static final long SINGLE_DELETES_MAX = 64;

    /** Up to this many elements of a dense list are read as single rows, which costs less than opening a scan. */
    private static final long READ_BY_POSITION_MAX = 1024;

    private final Space space;
    private final Bytes key;
    private final CollectionHeader header;
    private final Elements rows;
    private final ListBlocks blocks;
    private long size;

    /** The first position, while {@link #sparse} is null. */
    private long first;

    private @Nullable SparseOrder sparse;

    OpenList(Space space, Bytes key, CollectionHeader header) {
        this.space = space;
        this.key = key;
        this.header = header;
        this.rows = space.elements(header, ElementKind.LIST_ELEMENT);
        this.blocks = space.unit().tables().listBlocks();
        this.size = header.size();
        ListShape shape = ListShape.of(header);
        if (shape instanceof ListShape.Dense dense) {
            first = dense.first();
        } else {
            sparse = new SparseOrder(space.unit(), header, (ListShape.Sparse) shape);
        }
    }

    long size() {
        return size;
    }

    /** Whether the index alone gives the row of an element. */
    boolean isDense() {
        return sparse == null;
    }

    /** The place of the element with this index, which exists. */
    private Bytes place(long index) {
        SparseOrder order = sparse;
        return order == null ? ListSortKeys.of(first + index) : order.place(index, size);
    }

    Bytes get(long index) {
        Bytes place = place(index);
        return rows.get(place).orElseThrow(this::missing);
    }

    void set(long index, Bytes value) {
        if (isDense()) {
            putAt(first + index, value);
        } else {
            rows.put(place(index), value);
        }
    }

    /** Puts an element of a dense list. */
    private void putAt(long position, Bytes value) {
        blocks.drop(header.id(), position);
        rows.put(ListSortKeys.of(position), value);
    }

    /** Up to {@code limit} elements from this index on, which exists, in the direction. */
    Cursor from(long index, Direction direction, long limit) {
        Bytes place = place(index);
        return direction == Direction.FORWARD
                ? rows.scan(place, Bytes.EMPTY, direction, limit)
                : rows.scan(Bytes.EMPTY, ListSortKeys.after(place), direction, limit);
    }

    /** The elements of the indexes, which exist. Caches those of a dense list. */
    List<Bytes> values(long start, long count) {
        return isDense() && count <= READ_BY_POSITION_MAX
                ? blockwise(first + start, first + start + count)
                : uncachedValues(start, count);
    }

    private List<Bytes> uncachedValues(long start, long count) {
        if (isDense() && count <= READ_BY_POSITION_MAX) {
            return read(first + start, first + start + count);
        }
        List<Bytes> values = new ArrayList<>((int) Math.min(count, Integer.MAX_VALUE - 8));
        try (Cursor cursor = from(start, Direction.FORWARD, count)) {
            while (cursor.next()) {
                values.add(cursor.value());
            }
        }
        return values;
    }

    private List<Bytes> blockwise(long from, long end) {
        List<Bytes> values = new ArrayList<>((int) (end - from));
        for (long at = from; at < end; ) {
            long blockStart = ListBlocks.startOf(at);
            long to = Math.min(end, blockStart + ListBlocks.POSITIONS);
            long keptBytes = blocks.addTo(values, header.id(), at, to);
            if (keptBytes == ListBlocks.NOT_KEPT) {
                readBlock(blockStart, at, to, values);
            } else {
                space.keep(keptBytes);
            }
            at = to;
        }
        return values;
    }

    /**
     * Reads a part of a block, and caches it if it is most of the block. Does not read the rest, which may be large.
     */
    private void readBlock(long blockStart, long from, long to, List<Bytes> values) {
        List<Bytes> part = read(from, to);
        values.addAll(part);
        long blockFrom = Math.max(first, blockStart);
        long blockTo = Math.min(first + size, blockStart + ListBlocks.POSITIONS);
        boolean committed = space.unit().isEmpty();
        if (committed && (to - from) * 2 >= blockTo - blockFrom) {
            blocks.keep(header.id(), from, part);
        }
    }

    private List<Bytes> read(long from, long to) {
        List<Bytes> places = new ArrayList<>((int) (to - from));
        for (long position = from; position < to; position++) {
            places.add(ListSortKeys.of(position));
        }
        List<Bytes> values = new ArrayList<>(places.size());
        for (Optional<Bytes> value : rows.getMany(places)) {
            values.add(value.orElseThrow(this::missing));
        }
        return values;
    }

    private StoreException missing() {
        return SparseOrder.damaged(header.id(), "Element of a list is missing");
    }

    Bytes place(Cursor cursor) {
        return rows.sub(cursor);
    }

    void push(ListEnd end, Bytes value) {
        SparseOrder order = sparse;
        if (order != null) {
            order.push(end, value);
        } else if (end == ListEnd.LEFT) {
            putAt(--first, value);
        } else {
            putAt(first + size, value);
        }
        size++;
    }

    /** Removes elements, which exist, from the end and answers them from the outermost on. */
    List<Bytes> pop(ListEnd end, long count) {
        List<Bytes> taken;
        if (count == 1) {
            taken = List.of(get(end == ListEnd.LEFT ? 0 : size - 1));
        } else {
            taken = uncachedValues(end == ListEnd.LEFT ? 0 : size - count, count);
            if (end == ListEnd.RIGHT) {
                Collections.reverse(taken);
            }
        }
        drop(end, count);
        return taken;
    }

    /** Removes elements, which exist, from the end without reading them. */
    void drop(ListEnd end, long count) {
        SparseOrder order = sparse;
        if (count < size && order != null) {
            order.drop(end, count, size);
        } else if (count < size) {
            long from = end == ListEnd.LEFT ? first : first + size - count;
            deletePositions(from, count);
            first += end == ListEnd.LEFT ? count : 0;
        }
        // The rows of an emptied list go with the key, in the background.
        size -= count;
    }

    private void deletePositions(long from, long count) {
        if (count > SINGLE_DELETES_MAX) {
            rows.deleteRange(ListSortKeys.of(from), ListSortKeys.of(from + count));
            return;
        }
        for (long i = 0; i < count; i++) {
            rows.delete(ListSortKeys.of(from + i));
        }
    }

    /**
     * Removes elements in the middle.
     *
     * @param hits their indexes, ascending; not all of the list
     */
    void remove(Hits hits) {
        long left = hits.leading();
        long right = left == hits.count() ? 0 : hits.trailing(size);
        if (left + right == hits.count()) {
            drop(ListEnd.LEFT, left);
            drop(ListEnd.RIGHT, right);
            return;
        }
        SparseOrder order = sparse;
        if (order == null) {
            for (int i = 0; i < hits.count(); i++) {
                rows.delete(ListSortKeys.of(first + hits.index(i)));
            }
            sparse = SparseOrder.without(space.unit(), header, new ListShape.Dense(first), size, hits);
        } else {
            order.remove(hits, size);
        }
        size -= hits.count();
    }

    /** Inserts an element before the one with this index, which exists and is not the first. */
    void insert(long index, Bytes value) {
        SparseOrder order = sparse;
        if (order == null) {
            order = SparseOrder.of(space.unit(), header, new ListShape.Dense(first), size);
            sparse = order;
        }
        order.insert(index, value, size);
        size++;
    }

    /** Writes the changed fences and the header. */
    void save() {
        SparseOrder order = sparse;
        if (size > 0 && order != null) {
            order.write();
        }
        ListShape shape = order == null ? new ListShape.Dense(first) : order.shape();
        space.put(key, header.withSize(size).withFields(shape.fields()));
    }
}
