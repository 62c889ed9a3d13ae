package io.polytable.redis.model.list;

import io.polytable.redis.model.order.OrderIndex;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;

/**
 * How a list is laid out in rows: the header's own fields (docs/formats/redis-list.md).
 *
 * <pre>
 * dense    first position:8
 * sparse   fence levels:1  length of head:1  head  tail
 * </pre>
 */
public sealed interface ListShape {
    /**
     * Elements have consecutive positions, so an index is an addition. For lists that are only pushed, popped and
     * trimmed.
     */
    record Dense(long first) implements ListShape {
        @Override
        public Bytes fields() {
            return ListSortKeys.of(first);
        }
    }

    /**
     * Elements were inserted or removed in the middle, so an index is found by counted fences.
     *
     * @param levels of fences; none up to 128 elements
     * @param head the place of the first element
     * @param tail the place of the last element
     */
    record Sparse(int levels, Bytes head, Bytes tail) implements ListShape {
        @Override
        public Bytes fields() {
            byte[] fields = new byte[2 + head.length() + tail.length()];
            fields[0] = (byte) levels;
            fields[1] = (byte) head.length();
            head.copyTo(fields, 2);
            tail.copyTo(fields, 2 + head.length());
            return Bytes.of(fields);
        }
    }

    Bytes fields();

    /**
     * Reads a header's own fields.
     *
     * @throws StoreException CORRUPT when they are not a list's
     */
    static ListShape of(CollectionHeader header) {
        Bytes fields = header.fields();
        if (fields.isEmpty() && header.size() == 0) {
            return new Dense(0);
        }
        if (fields.length() == Long.BYTES) {
            return new Dense(ListSortKeys.position(fields));
        }
        int headEnd = fields.length() < 2 ? 0 : 2 + fields.at(1);
        if (headEnd >= 2 + ListSortKeys.WORD_BYTES && headEnd < fields.length()) {
            Sparse sparse = new Sparse(fields.at(0), fields.slice(2, headEnd), fields.from(headEnd));
            if (sparse.levels >= 0 && ListSortKeys.isPlace(sparse.head) && ListSortKeys.isPlace(sparse.tail)) {
                return sparse;
            }
        }
        throw new StoreException(StoreError.CORRUPT, "Header of a list is damaged", Map.of("collection", header.id()));
    }

    /** The rows from the first to the last element: without the tombstones of popped ones. */
    static KeyRange elements(CollectionHeader header) {
        ListShape shape = of(header);
        Bytes head = shape instanceof Sparse sparse ? sparse.head : shape.fields();
        Bytes tail = shape instanceof Sparse sparse
                ? sparse.tail
                : ListSortKeys.of(ListSortKeys.position(head) + header.size() - 1);
        Bytes from = Layout.element(header.id(), ElementKind.LIST_ELEMENT, head).bytes();
        Bytes to = Layout.element(header.id(), ElementKind.LIST_ELEMENT, ListSortKeys.after(tail))
                .bytes();
        return new KeyRange(from, to, Layout.ELEMENT_PREFIX);
    }

    /** The sub-key of the position in a dense list. */
    static Bytes placeOf(long position) {
        return ListSortKeys.of(position);
    }

    /** The position of a sub-key in a dense list. */
    static long positionOf(Bytes place) {
        return ListSortKeys.position(place);
    }

    /** The position in a row of a dense list. */
    static long position(Bytes elementRow) {
        return ListSortKeys.position(elementRow.from(Layout.ELEMENT_PREFIX));
    }

    /** The shape with which to open the index of a sparse list. */
    static OrderIndex.Shape indexShape(CollectionHeader header, int levels) {
        return new OrderIndex.Shape(Ordering.POSITIONS, header.id(), header.size(), levels);
    }
}
