package io.polytable.redis.model.list;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.order.FenceCheck;
import io.polytable.redis.model.order.FenceLimits;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Reader;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import java.util.function.Consumer;

/**
 * Verifies that a list's rows are consistent: a dense list has its elements at consecutive positions from the one in
 * its header, a sparse one between the two places in its header, and the fences count them.
 */
public final class ListCheck {
    private final Reader reader;
    private final CollectionHeader header;
    private final Table table;
    private final Consumer<String> problems;

    public ListCheck(RedisTables tables, Reader reader, CollectionHeader header, Consumer<String> problems) {
        this.reader = reader;
        this.header = header;
        this.table = tables.elements(header.home());
        this.problems = problems;
    }

    public void run() {
        try {
            ListShape shape = ListShape.of(header);
            if (shape instanceof ListShape.Dense dense) {
                checkPositions(dense);
            } else {
                checkPlaces((ListShape.Sparse) shape);
            }
        } catch (StoreException e) {
            if (e.error() != StoreError.CORRUPT) {
                throw e;
            }
            problems.accept("its header or one of its fences cannot be read");
        }
    }

    private void checkPositions(ListShape.Dense dense) {
        try (Cursor rows = elements()) {
            for (long position = dense.first(); rows.next(); position++) {
                Bytes place = OrderRows.placeOf(rows.key());
                if (!place.equals(ListSortKeys.of(position))) {
                    problems.accept("an element stands at " + place + " instead of " + ListSortKeys.of(position));
                    break;
                }
            }
        }
        try (Cursor fences =
                reader.scan(table, Layout.elements(header.id(), ElementKind.LIST_FENCE), Direction.FORWARD, 1)) {
            if (fences.next()) {
                problems.accept("it has fences though its positions have no gaps");
            }
        }
    }

    private void checkPlaces(ListShape.Sparse sparse) {
        Bytes last = Bytes.EMPTY;
        try (Cursor rows = elements()) {
            while (rows.next()) {
                Bytes place = OrderRows.placeOf(rows.key());
                if (!ListSortKeys.isPlace(place)) {
                    problems.accept("an element stands at " + place + ", which is no place in a list");
                }
                if (last.isEmpty() && !place.equals(sparse.head())) {
                    problems.accept("its header says that it starts at " + sparse.head() + ", it does at " + place);
                }
                last = place;
            }
        }
        if (!last.equals(sparse.tail())) {
            problems.accept("its header says that it ends at " + sparse.tail() + ", it does at " + last);
        }
        new FenceCheck(reader, table, ListShape.indexShape(header, sparse.levels()), FenceLimits.STANDARD, problems)
                .run();
    }

    private Cursor elements() {
        return reader.scan(table, Layout.elements(header.id(), ElementKind.LIST_ELEMENT));
    }
}
