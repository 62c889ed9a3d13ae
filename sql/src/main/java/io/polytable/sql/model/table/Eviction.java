package io.polytable.sql.model.table;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Evicts events of streams beyond their maximum number, by one range delete over the time-ordered keys, and tombstones
 * beyond their retention, one by one. Events beyond their time to live expire in the store.
 */
public final class Eviction {
    private static final int ENTRIES_AT_ONCE = 200;

    /** Counting a large stream reads all of it, so the pause until the next count is this many times its duration. */
    private static final long COUNTING_PAUSES = 20;

    private static final Duration TOMBSTONES_EVERY = Duration.ofMinutes(10);

    private final TableStore store;
    private final InstantSource clock;
    private final Map<TableKey, Instant> swept = new HashMap<>();
    private final Map<TableKey, Long> countAgainNanos = new HashMap<>();

    private record TableKey(int id) {}

    public Eviction(TableStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Forgets all other tables, which were dropped. */
    public void retain(Set<Integer> tables) {
        swept.keySet().removeIf(key -> !tables.contains(key.id()));
        countAgainNanos.keySet().removeIf(key -> !tables.contains(key.id()));
    }

    /** The number of tables that it remembers. */
    int remembered() {
        return swept.size() + countAgainNanos.size();
    }

    /** Evicts rows of one table; returns how many, as far as known. */
    public long run(SqlTable table) {
        return table.def().kind() == TableKind.STREAM ? byCount(table) : tombstones(table);
    }

    /** Deletes the index entries of the rows first, in batches: an entry without its row is ignored by readers. */
    private long entries(SqlTable table, KeyRange range) {
        long count = 0;
        List<Entry> entries = new ArrayList<>();
        try (Cursor cursor = store.scan(table.table(), range, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                count++;
                if (table.indexes().isEmpty()) {
                    continue;
                }
                StoredRow row = table.format().row(cursor.key(), cursor.value());
                for (SqlIndex index : table.indexes()) {
                    entries.add(new Entry(
                            index.table(), index.key("", row.values(), row.key()), SqlIndex.pointer(row.key())));
                }
                if (entries.size() >= ENTRIES_AT_ONCE) {
                    removeEntries(entries);
                }
            }
        }
        removeEntries(entries);
        return count;
    }

    /** An index entry, and the pointer that it has as long as it belongs to the evicted row. */
    private record Entry(Table index, RowKey key, Bytes pointer) {}

    /**
     * Under their stripes: since the scan began an entry may have been taken over by another row with the same values.
     */
    private void removeEntries(List<Entry> entries) {
        int[] stripes = entries.stream()
                .mapToInt(entry -> store.stripes().stripeOf(entry.key().partition()))
                .distinct()
                .toArray();
        store.stripes().lockAll(stripes);
        try {
            Batch batch = new Batch();
            for (Entry entry : entries) {
                if (store.read(entry.index(), entry.key())
                        .filter(entry.pointer()::equals)
                        .isPresent()) {
                    batch.delete(entry.index(), entry.key());
                }
            }
            if (!batch.isEmpty()) {
                store.commit(batch);
            }
        } finally {
            store.stripes().unlockAll(stripes);
        }
        entries.clear();
    }

    private long byCount(SqlTable table) {
        TableKey key = new TableKey(table.table().id());
        long begun = System.nanoTime();
        if (begun - countAgainNanos.getOrDefault(key, begun) < 0) {
            return 0;
        }
        long max = StorageOptions.maxBuffer(table.def().options());
        long count = 0;
        Bytes last = Bytes.EMPTY;
        // Counts backwards from the newest event, so the scan stops at the limit.
        try (Cursor cursor = store.scan(table.table(), KeyRange.ALL, Direction.REVERSE, max + 1)) {
            while (cursor.next()) {
                count++;
                last = count > max ? cursor.key() : last;
            }
        }
        long ended = System.nanoTime();
        countAgainNanos.put(key, ended + COUNTING_PAUSES * (ended - begun));
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
        if (table.cold().isFlushing()) {
            return 0;
        }
        swept.put(key, now);
        Instant before = now.minus(StorageOptions.deletedRetention(table.def().options()));
        long count = 0;
        try (StoredRows rows = table.hotRows(store)) {
            while (rows.next()) {
                StoredRow row = rows.row();
                if (row.isDeleted() && row.updated().isBefore(before)) {
                    count += remove(table, row) ? 1 : 0;
                }
            }
        }
        return count;
    }

    /** Under the row's stripe, if the row is still a tombstone: it may have been rewritten. */
    private boolean remove(SqlTable owner, StoredRow row) {
        Table table = owner.table();
        RowKey key = row.key();
        int stripe = store.stripes().stripeOf(key.partition());
        store.stripes().lock(stripe);
        try {
            boolean same = store.read(table, key)
                    .map(value -> owner.format().row(key.bytes(), value))
                    .filter(StoredRow::isDeleted)
                    .isPresent();
            // A tombstone that hides a flushed row stays until it is flushed itself.
            boolean hides = owner.cold().isUsed()
                    && owner.cold().find(store, owner, key.bytes()).isPresent();
            same &= !hides;
            if (same) {
                store.commit(new Batch().delete(table, key));
            }
            return same;
        } finally {
            store.stripes().unlock(stripe);
        }
    }
}
