package io.polytable.redis.model;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.WriteSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes the elements of removed collections. Nobody can reach them any more, whoever removed the collection has let
 * its stripe go, and snapshots keep their own sight: so no lock is needed.
 */
final class Sweeper {
    /** Beyond so many rows one range delete is cheaper than a delete for each. */
    private static final int SINGLE_DELETES_MAX = 64;

    /** What a range delete counts for: it saves writing, but not the work of those who clean up below. */
    private static final int RANGE_COST = 1000;

    private final RedisTables tables;
    private final WriteSet writes;

    Sweeper(RedisTables tables) {
        this.tables = tables;
        this.writes = new WriteSet(tables.store());
    }

    /** Sweeps collections until about so many rows are deleted; answers how many rows that was. */
    int step(int max) {
        if (!tables.garbageWaits()) {
            return 0;
        }
        // Before the look, so that what is noted during it is not forgotten.
        tables.garbageWaits(false);
        boolean isEmpty = false;
        int swept = 0;
        try (Cursor notes = tables.store().scan(tables.garbage(), Layout.garbage(), Direction.FORWARD, max)) {
            while (swept < max && notes.next()) {
                swept += sweep(notes.key(), Garbage.decode(notes.value()));
            }
            isEmpty = swept == 0;
        } finally {
            if (!isEmpty) {
                tables.garbageWaits(true);
            }
        }
        return swept;
    }

    private int sweep(Bytes note, Garbage garbage) {
        try {
            int cost = 1;
            for (ElementKind kind : ElementKind.of(garbage.type())) {
                cost += delete(tables.elements(garbage.home()), Layout.elements(Layout.garbageId(note), kind));
            }
            writes.delete(tables.garbage(), new RowKey(note, 1));
            writes.commit();
            return cost;
        } finally {
            writes.clear();
        }
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
