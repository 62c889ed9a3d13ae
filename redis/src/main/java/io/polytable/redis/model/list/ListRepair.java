package io.polytable.redis.model.list;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.order.FenceLimits;
import io.polytable.redis.model.order.FencePlan;
import io.polytable.redis.model.order.FenceRows;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Rebuilds the header and the fences of a list from its elements, which are ordered by their places. Takes many
 * commits; an interrupted repair starts again. The caller has exclusive access.
 */
public final class ListRepair {
    private static final int BATCH_BYTES = 4 << 20;

    private final WriteSet work;
    private final Table table;
    private final CollectionHeader header;
    private final OrderRows rows;
    private final FenceRows fences;
    private final LongConsumer progress;

    public ListRepair(RedisTables tables, CollectionHeader header, LongConsumer progress) {
        this.work = new WriteSet(tables.store());
        this.table = tables.elements(header.home());
        this.header = header;
        this.rows = new OrderRows(table, header.id(), Ordering.POSITIONS);
        this.fences = new FenceRows(table, header.id(), Ordering.POSITIONS);
        this.progress = progress;
        tables.fences().drop(header.id());
        tables.listBlocks().drop(header.id());
    }

    /** Answers the header that matches the rows, for the caller to put. The progress counts each element twice. */
    public CollectionHeader run() {
        work.deleteRange(table, fences.all());
        moveStrays();
        commit();
        long size = 0;
        Bytes head = Bytes.EMPTY;
        Bytes tail = Bytes.EMPTY;
        boolean dense = true;
        try (Cursor cursor = elements()) {
            while (cursor.next()) {
                tail = OrderRows.placeOf(cursor.key()).copy();
                head = size == 0 ? tail : head;
                dense &= tail.equals(ListSortKeys.of(ListSortKeys.position(head) + size));
                size++;
            }
        }
        if (size == 0) {
            return header.withSize(0);
        }
        ListShape shape = dense
                ? new ListShape.Dense(ListSortKeys.position(head))
                : new ListShape.Sparse(writeFences(size), head, tail);
        return header.withSize(size).withFields(shape.fields());
    }

    /** Moves elements whose key is not a valid place to the end: their old position is unknown. */
    private void moveStrays() {
        List<Bytes> strays = new ArrayList<>();
        long last = 0;
        try (Cursor cursor = elements()) {
            while (cursor.next()) {
                Bytes place = OrderRows.placeOf(cursor.key());
                if (ListSortKeys.isPlace(place)) {
                    last = ListSortKeys.position(place);
                } else {
                    strays.add(cursor.key().copy());
                    strays.add(cursor.value().copy());
                }
            }
        }
        for (int i = 0; i < strays.size(); i += 2) {
            work.delete(table, new RowKey(strays.get(i), Layout.ELEMENT_PREFIX));
            rows.put(work, ListSortKeys.of(++last), strays.get(i + 1));
        }
    }

    private int writeFences(long size) {
        FencePlan plan = new FencePlan(size, FenceLimits.STANDARD);
        long done = size;
        try (Cursor cursor = elements()) {
            while (cursor.next()) {
                plan.pass(work, fences, OrderRows.placeOf(cursor.key()));
                done++;
                if (work.sizeBytes() > BATCH_BYTES) {
                    commit();
                    progress.accept(done);
                }
            }
        }
        commit();
        return plan.levels();
    }

    private Cursor elements() {
        return rows.scan(work, SortKeys.START, SortKeys.END, Direction.FORWARD, Long.MAX_VALUE);
    }

    private void commit() {
        Commit unusedPosition = work.commit();
    }
}
