package io.polytable.sql.model;

import io.polytable.table.Batch;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Removes events of streams beyond their number, in one range delete over the time-ordered keys, and tombstones beyond their
 * retention, in small batches. Events beyond their time to live expire in the store.
 */
public final class Eviction {
    private static final int TOMBSTONES_AT_ONCE = 500;
    private static final Duration TOMBSTONES_EVERY = Duration.ofMinutes(10);

    private final TableStore store;
    private final InstantSource clock;
    private final Map<TableKey, Instant> swept = new HashMap<>();

    private record TableKey(int id) {}

    public Eviction(TableStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Cleans one table; answers how many rows went, as far as that is known. */
    public long run(SqlTable table) {
        return table.def().kind() == TableKind.STREAM ? byCount(table) : tombstones(table);
    }

    /** Index entries of the rows go first, a batch at a time: one without its row is harmless, and ignored. */
    private long entries(SqlTable table, KeyRange range) {
        long count = 0;
        try (Cursor cursor = store.scan(table.table(), range, Direction.FORWARD, Long.MAX_VALUE)) {
            Batch batch = new Batch();
            while (cursor.next()) {
                count++;
                if (table.indexes().isEmpty()) {
                    continue;
                }
                StoredRow row = table.format().row(cursor.key(), cursor.value());
                for (SqlIndex index : table.indexes()) {
                    batch.delete(index.table(), index.key("", row.values(), row.key()));
                }
                if (batch.size() >= TOMBSTONES_AT_ONCE) {
                    store.commit(batch);
                    batch.clear();
                }
            }
            if (!batch.isEmpty()) {
                store.commit(batch);
            }
        }
        return count;
    }

    private long byCount(SqlTable table) {
        long max = StorageOptions.maxBuffer(table.def().options());
        long count = 0;
        Bytes last = Bytes.EMPTY;
        // Counts from the newest back: no further than the bound, however many are too many.
        try (Cursor cursor = store.scan(table.table(), KeyRange.ALL, Direction.REVERSE, max + 1)) {
            while (cursor.next()) {
                count++;
                last = cursor.key();
            }
        }
        if (count <= max) {
            return 0;
        }
        KeyRange surplus = KeyRange.between(Bytes.EMPTY, last.concat(Bytes.of(new byte[1])));
        long gone = entries(table, surplus);
        store.commit(new Batch().deleteRange(table.table(), surplus));
        return gone;
    }

    private long tombstones(SqlTable table) {
        TableKey key = new TableKey(table.table().id());
        Instant now = clock.instant();
        if (swept.getOrDefault(key, Instant.EPOCH).isAfter(now.minus(TOMBSTONES_EVERY))) {
            return 0;
        }
        swept.put(key, now);
        Instant before = now.minus(StorageOptions.deletedRetention(table.def().options()));
        long count = 0;
        try (StoredRows rows = table.everyRow(store)) {
            while (rows.next()) {
                StoredRow row = rows.row();
                if (row.isDeleted() && row.updated().isBefore(before)) {
                    count += remove(table, row) ? 1 : 0;
                }
            }
        }
        return count;
    }

    /** Under the row's stripe, if it is still a tombstone: somebody may have written it anew. */
    private boolean remove(SqlTable owner, StoredRow row) {
        Table table = owner.table();
        RowKey key = row.key();
        int stripe = store.stripes().stripeOf(key.partition());
        store.stripes().lock(stripe);
        try {
            boolean same = owner.get(store, key).filter(StoredRow::isDeleted).isPresent();
            if (same) {
                store.commit(new Batch().delete(table, key));
            }
            return same;
        } finally {
            store.stripes().unlock(stripe);
        }
    }
}
