package io.polytable.sql.model.table;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.row.StoredRows;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Origin;
import io.polytable.table.RowKey;
import io.polytable.table.Table;
import io.polytable.table.TableKind;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Evicts events of streams beyond their time to live, which the store hides already, and beyond their maximum number, the
 * oldest first, and tombstones beyond their retention, one by one.
 */
public final class Eviction {
    private static final int ENTRIES_AT_ONCE = 200;

    /** Counting a large stream reads all of it, so the pause until the next count is this many times its duration. */
    private static final long COUNTING_PAUSES = 20;

    /** Expired events with index entries that one run removes. */
    private static final long EXPIRED_AT_ONCE = 100_000;

    /** Each range delete slows down scans a little, so there are about this many per time to live. */
    private static final int RANGES_PER_TTL = 64;

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

    /** Evicts rows of one table; returns how many, as far as known. Expired events do not count. */
    public long run(SqlTable table) {
        if (table.def().kind() != TableKind.STREAM) {
            return tombstones(table);
        }
        byTime(table);
        return byCount(table);
    }

    private void byTime(SqlTable table) {
        Table events = table.table();
        if (events.expiry().isNever() || !store.hasRoom()) {
            return;
        }
        if (!table.indexes().isEmpty()) {
            indexedRows(table, store.expired(events, EXPIRED_AT_ONCE));
            return;
        }
        TableKey key = new TableKey(events.id());
        Instant now = store.clock().instant();
        Duration ttl = StorageOptions.ttl(table.def().options()).orElse(Duration.ZERO);
        Instant last = swept.getOrDefault(key, Instant.EPOCH);
        if (Duration.between(last, now).abs().compareTo(ttl.dividedBy(RANGES_PER_TTL)) < 0) {
            return;
        }
        swept.put(key, now);
        try (Cursor first = store.expired(events, 1)) {
            if (!first.next()) {
                return;
            }
        }
        store.commit(
                new Batch(Origin.UPKEEP).deleteRange(events, events.expiry().over(now.toEpochMilli())));
    }

    /**
     * Deletes the rows of a cursor together with their index entries, in batches, and closes it. A batch is atomic: a row
     * without its entry would be missing from reads by index.
     */
    private long indexedRows(SqlTable table, Cursor scan) {
        long count = 0;
        List<RowKey> rows = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        try (Cursor cursor = scan) {
            while (cursor.next()) {
                count++;
                StoredRow row = table.format().row(cursor.key(), cursor.value());
                rows.add(row.key());
                for (SqlIndex index : table.indexes()) {
                    entries.add(new Entry(index, index.key("", row.values(), row.key()), row.key()));
                }
                if (entries.size() >= ENTRIES_AT_ONCE) {
                    remove(table.table(), rows, entries);
                }
            }
        }
        remove(table.table(), rows, entries);
        return count;
    }

    /** An index entry, and the evicted row to which it points as long as it belongs to that row. */
    private record Entry(SqlIndex index, RowKey key, RowKey row) {}

    /**
     * Under the entries' stripes: since the scan began an entry may have been taken over by another row with the same
     * values. The rows need no comparison, since events never change.
     */
    private void remove(Table table, List<RowKey> rows, List<Entry> entries) {
        if (rows.isEmpty()) {
            return;
        }
        int[] stripes = entries.stream()
                .mapToInt(entry -> store.stripes().stripeOf(entry.key().partition()))
                .distinct()
                .toArray();
        store.stripes().lockAll(stripes);
        try {
            Batch batch = new Batch(Origin.UPKEEP);
            rows.forEach(row -> batch.delete(table, row));
            for (Entry entry : entries) {
                Table index = entry.index().table();
                Optional<RowKey> target = store.read(index, entry.key()).map(entry.index()::target);
                if (target.filter(entry.row()::equals).isPresent()) {
                    batch.delete(index, entry.key());
                }
            }
            store.commit(batch);
        } finally {
            store.stripes().unlockAll(stripes);
        }
        rows.clear();
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
        if (!table.indexes().isEmpty()) {
            return indexedRows(table, store.scan(table.table(), surplus));
        }
        long surplusCount = count(table, surplus);
        store.commit(new Batch(Origin.UPKEEP).deleteRange(table.table(), surplus));
        return surplusCount;
    }

    private long count(SqlTable table, KeyRange range) {
        long count = 0;
        try (Cursor cursor = store.scan(table.table(), range, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    /**
     * Skipped while a job changes the table's files. A flush moves the rows of its snapshot into a file: a tombstone that
     * is newer than the snapshot must stay, although no file has a row for it to hide yet.
     */
    private long tombstones(SqlTable table) {
        TableKey key = new TableKey(table.table().id());
        Instant now = clock.instant();
        if (swept.getOrDefault(key, Instant.EPOCH).isAfter(now.minus(TOMBSTONES_EVERY))) {
            return 0;
        }
        Instant before = now.minus(StorageOptions.deletedRetention(table.def().options()));
        AtomicLong count = new AtomicLong();
        if (table.cold().unlessChanging(() -> count.set(sweep(table, before)))) {
            swept.put(key, now);
        }
        return count.get();
    }

    private long sweep(SqlTable table, Instant before) {
        long count = 0;
        try (StoredRows rows = table.hotRows(store)) {
            while (rows.next()) {
                StoredRow row = rows.row();
                // A tombstone that hides a flushed row stays until it is flushed itself. No job adds rows to the files
                // meanwhile, so the look-up, which may wait for a storage, needs no stripe.
                boolean expired = row.isDeleted() && row.updated().isBefore(before);
                if (expired && !hidesFlushed(table, row)) {
                    count += remove(table, row) ? 1 : 0;
                }
            }
        }
        return count;
    }

    private boolean hidesFlushed(SqlTable table, StoredRow row) {
        return table.cold().isUsed()
                && table.cold().find(store, table, row.key().bytes()).isPresent();
    }

    /** Under the row's stripe, if the row is still the scanned one: it may have been rewritten, also by a DELETE. */
    private boolean remove(SqlTable owner, StoredRow scanned) {
        Table table = owner.table();
        RowKey key = scanned.key();
        int stripe = store.stripes().stripeOf(key.partition());
        store.stripes().lock(stripe);
        try {
            boolean same = store.read(table, key)
                    .map(value -> owner.format().row(key.bytes(), value))
                    .filter(scanned::isSame)
                    .isPresent();
            if (same) {
                store.commit(new Batch(Origin.UPKEEP).delete(table, key));
            }
            return same;
        } finally {
            store.stripes().unlock(stripe);
        }
    }
}
