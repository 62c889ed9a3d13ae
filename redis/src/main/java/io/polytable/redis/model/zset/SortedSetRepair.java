package io.polytable.redis.model.zset;

import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.order.FenceLimits;
import io.polytable.redis.model.order.FencePlan;
import io.polytable.redis.model.order.FenceRows;
import io.polytable.redis.model.order.OrderRows;
import io.polytable.redis.model.order.Ordering;
import io.polytable.redis.model.order.SortKeys;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.write.WriteSet;
import java.util.function.LongConsumer;

/**
 * Rebuilds the order rows and fences of a sorted set from its member rows, which are authoritative. A set can be
 * larger than memory or a batch, so this takes many commits; an interrupted repair starts again. The caller has
 * exclusive access.
 */
public final class SortedSetRepair {
    private static final int BATCH_BYTES = 4 << 20;

    private final WriteSet work;
    private final Table table;
    private final CollectionHeader header;
    private final OrderRows orders;
    private final FenceRows fences;
    private final LongConsumer progress;
    private boolean wide;

    public SortedSetRepair(RedisTables tables, CollectionHeader header, LongConsumer progress) {
        this.work = new WriteSet(tables.store());
        this.table = tables.elements(header.home());
        this.header = header;
        this.orders = new OrderRows(table, header.id(), Ordering.SCORES);
        this.fences = new FenceRows(table, header.id(), Ordering.SCORES);
        this.progress = progress;
        this.wide = SortedSet.isWide(header);
        tables.fences().drop(header.id());
    }

    /**
     * Answers the header that matches the rows, for the caller to put. The progress counts each member twice: once for
     * its order row, once for the fences.
     */
    public CollectionHeader run() {
        work.deleteRange(table, orders.range(SortKeys.START, SortKeys.END));
        work.deleteRange(table, fences.all());
        commit();
        long size = writeOrder();
        int levels = writeFences(size);
        return header.withSize(size).withFields(SortedSet.fields(levels, wide));
    }

    /** Removes members whose score cannot be read: their place in the order is unknown. */
    private long writeOrder() {
        long size = 0;
        long done = 0;
        Bytes partition = Layout.element(header.id(), ElementKind.ZSET_MEMBER, Bytes.EMPTY)
                .bytes();
        try (Cursor rows = work.scan(table, KeyRange.partition(partition))) {
            while (rows.next()) {
                if (SortedSet.isScore(rows.value())) {
                    size++;
                    double score = SortedSet.decode(rows.value());
                    Bytes member = SortedSetCheck.memberOf(rows);
                    wide |= SortedSet.widens(size, member);
                    orders.put(work, SortKeys.of(score, member), OrderRows.value(score));
                } else {
                    work.delete(table, new RowKey(rows.key(), Layout.ELEMENT_PREFIX));
                }
                step(++done);
            }
        }
        commit();
        return size;
    }

    private int writeFences(long size) {
        FencePlan plan = new FencePlan(size, FenceLimits.STANDARD);
        long done = size;
        try (Cursor rows = orders.scan(work, SortKeys.START, SortKeys.END, Direction.FORWARD, Long.MAX_VALUE)) {
            while (rows.next()) {
                plan.pass(work, fences, OrderRows.placeOf(rows.key()));
                step(++done);
            }
        }
        commit();
        return plan.levels();
    }

    private void step(long done) {
        if (work.sizeBytes() > BATCH_BYTES) {
            commit();
            progress.accept(done);
        }
    }

    private void commit() {
        Commit unusedPosition = work.commit();
    }
}
