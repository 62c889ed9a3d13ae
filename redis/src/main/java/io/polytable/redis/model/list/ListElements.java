package io.polytable.redis.model.list;

import io.polytable.frontend.limit.Budget;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.order.ElementCursor;
import io.polytable.redis.model.order.FenceCache;
import io.polytable.redis.model.order.OrderIndex;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Direction;
import io.polytable.table.Reader;
import io.polytable.table.write.WriteSet;
import java.util.Optional;

/** Elements of lists by index, in a snapshot. */
public final class ListElements {
    private static final long FENCE_BYTES_MAX = 4 << 20;

    private final RedisTables tables;
    private final Reader reader;

    /** Never written to: the index reads through it. */
    private final WriteSet view;

    /** For this snapshot alone: the key space's own cache shows the present. */
    private final FenceCache fences = new FenceCache(Budget.of("redis.lists.fences", FENCE_BYTES_MAX));

    public ListElements(RedisTables tables, Reader reader) {
        this.tables = tables;
        this.reader = reader;
        this.view = new WriteSet(tables.store(), reader);
    }

    public Optional<Bytes> at(CollectionHeader header, long index) {
        if (index < 0 || index >= header.size()) {
            return Optional.empty();
        }
        ListShape shape = ListShape.of(header);
        Bytes place = shape instanceof ListShape.Dense dense
                ? ListSortKeys.of(dense.first() + index)
                : place(header, ((ListShape.Sparse) shape).levels(), index);
        return reader.read(
                tables.elements(header.home()), Layout.element(header.id(), ElementKind.LIST_ELEMENT, place));
    }

    private Bytes place(CollectionHeader header, int levels, long index) {
        OrderIndex order =
                new OrderIndex(view, tables.elements(header.home()), fences, ListShape.indexShape(header, levels));
        try (ElementCursor cursor = order.from(index, Direction.FORWARD, 1)) {
            if (cursor.next()) {
                return cursor.place().copy();
            }
        }
        throw SparseOrder.damaged(header.id(), "Index of a list has fewer elements than its header says");
    }
}
