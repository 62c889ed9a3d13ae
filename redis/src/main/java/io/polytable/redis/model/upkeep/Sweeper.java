package io.polytable.redis.model.upkeep;

import io.polytable.redis.model.keyspace.DataUsage;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.feed.FeedFollower;
import io.polytable.table.write.WriteSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Deletes the elements of removed collections, in the order of their garbage rows. No header points to them any more
 * and snapshots keep their own view, so no lock is needed. Only followers of the change feed may still need them. A
 * garbage row that cannot be decoded stays, with its elements, for the repair.
 */
final class Sweeper {
    /** Beyond this many rows one range delete is cheaper than single deletes. */
    private static final int SINGLE_DELETES_MAX = 64;

    /** The cost of a range delete in rows: it saves writes, but not the work of compaction below. */
    private static final int RANGE_COST = 1000;

    /** The number of collections that wait together for the feed's followers. */
    private static final int WAITING_MAX = 20_000;

    private final RedisTables tables;
    private final FeedFollower follower;
    private final WriteSet writes;
    private final Deque<GarbageNote> waiting = new ArrayDeque<>();
    private final DamagedRows damaged = new DamagedRows();
    private long mark;

    Sweeper(RedisTables tables, FeedFollower follower) {
        this.tables = tables;
        this.follower = follower;
        this.writes = new WriteSet(tables.store());
    }

    /** Sweeps collections until about {@code max} rows are deleted; returns how many. */
    int step(int max) {
        if (waiting.isEmpty()) {
            look();
        }
        if (waiting.isEmpty() || !follower.hasPassed(mark)) {
            return 0;
        }
        int swept = 0;
        while (swept < max && !waiting.isEmpty()) {
            swept += sweep(waiting.element());
            waiting.remove();
        }
        return swept;
    }

    private void look() {
        if (!tables.mayHaveGarbage()) {
            return;
        }
        // Cleared before the scan, so that garbage noted during it is not forgotten.
        tables.mayHaveGarbage(false);
        boolean isLookedThrough = false;
        try {
            for (Table garbage : tables.garbageTables()) {
                look(garbage);
            }
            isLookedThrough = true;
        } finally {
            if (!isLookedThrough || !waiting.isEmpty()) {
                tables.mayHaveGarbage(true);
            }
        }
        // Taken after the scan: the mark covers all that was found.
        mark = follower.mark();
    }

    private void look(Table garbage) {
        int most = waiting.size() + WAITING_MAX / tables.partitions();
        // Without a limit of rows: damaged ones stay in the queue, and must not take the place of the others.
        try (Cursor notes = tables.store().scan(garbage, Layout.garbage())) {
            while (waiting.size() < most && notes.next()) {
                decode(garbage, notes).ifPresent(waiting::add);
            }
        }
    }

    private Optional<GarbageNote> decode(Table garbage, Cursor notes) {
        try {
            return Optional.of(GarbageNote.decode(tables, garbage, notes));
        } catch (StoreException failed) {
            if (!DamagedRows.isDamage(failed)) {
                throw failed;
            }
            damaged.add(garbage, notes.key(), failed);
            return Optional.empty();
        }
    }

    private int sweep(GarbageNote note) {
        int home = note.garbage().home();
        try {
            int cost = 1;
            for (ElementKind kind : ElementKind.of(note.garbage().type())) {
                cost += delete(tables.elements(home), Layout.elements(note.id(), kind));
            }
            writes.delete(tables.garbage(home), new RowKey(note.key(), 1));
            commit();
            return cost;
        } finally {
            writes.clear();
        }
    }

    private void commit() {
        DataUsage usage = tables.usage();
        long growth = usage.isCounting() ? usage.growth(writes) : 0;
        writes.commit();
        usage.add(growth);
    }

    private int delete(Table elements, KeyRange range) {
        List<Bytes> rows = new ArrayList<>();
        try (Cursor cursor = tables.store().scan(elements, range, Direction.FORWARD, SINGLE_DELETES_MAX + 1)) {
            while (cursor.next()) {
                rows.add(cursor.key());
            }
        }
        if (rows.size() > SINGLE_DELETES_MAX) {
            writes.deleteRange(elements, range);
            return RANGE_COST;
        }
        rows.forEach(row -> writes.delete(elements, new RowKey(row, Layout.ELEMENT_PREFIX)));
        return rows.size();
    }
}
