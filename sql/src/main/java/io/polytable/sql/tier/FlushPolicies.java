package io.polytable.sql.tier;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.table.ColdRows;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.job.Job;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.TableStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Submits flush jobs by the policies of the tables, and retention jobs for files that are no longer needed. */
public final class FlushPolicies {
    private static final Duration RETENTION_EVERY = Duration.ofMinutes(10);

    private final TableStore store;
    private final Tiering tiering;
    private final InstantSource clock;

    /** When each table was last flushed, or first seen. */
    private final Map<Integer, Instant> flushed = new HashMap<>();

    private final Map<Integer, Instant> expired = new HashMap<>();

    public FlushPolicies(TableStore store, Tiering tiering, InstantSource clock) {
        this.store = store;
        this.tiering = tiering;
        this.clock = clock;
    }

    /** Forgets all other tables, which were dropped. */
    public void retain(Set<Integer> tables) {
        flushed.keySet().retainAll(tables);
        expired.keySet().retainAll(tables);
    }

    /** The number of tables that it remembers. */
    int remembered() {
        return Math.max(flushed.size(), expired.size());
    }

    /** Called for every table once per second. */
    public void apply(SqlTable table) {
        if (table.cold() == ColdRows.NONE) {
            return;
        }
        int id = table.table().id();
        Instant now = clock.instant();
        Instant last = flushed.computeIfAbsent(id, first -> now);
        Map<String, String> options = table.def().options();
        OptionalLong seconds = StorageOptions.flushSeconds(options);
        boolean late = seconds.isPresent() && !now.isBefore(last.plusSeconds(seconds.getAsLong()));
        boolean idle = !tiering.jobs().isWaiting(Job.Type.FLUSH, "table_id", Integer.toString(id));
        if (idle && (late || isFull(table))) {
            flushed.put(id, now);
            if (holdsAtLeast(table, 1)) {
                tiering.submit(Job.Type.FLUSH, table, Map.of());
                compactAfterwards(table);
            }
        }
        expire(table, id, now);
    }

    /** The count of written rows decides when to check; the number of rows present decides. */
    private boolean isFull(SqlTable table) {
        OptionalLong rows = StorageOptions.flushRows(table.def().options());
        if (rows.isEmpty() || tiering.cold(table).written.get() < rows.getAsLong()) {
            return false;
        }
        boolean full = holdsAtLeast(table, rows.getAsLong());
        if (!full) {
            tiering.cold(table).written.set(0);
        }
        return full;
    }

    private boolean holdsAtLeast(SqlTable table, long rows) {
        long count = 0;
        try (Cursor cursor = store.scan(table.table(), KeyRange.ALL, Direction.FORWARD, rows)) {
            while (cursor.next()) {
                count++;
            }
        }
        return count >= rows;
    }

    private void compactAfterwards(SqlTable table) {
        int files = StorageOptions.compactionFiles(table.def().options());
        tiering.submit(Job.Type.COMPACT, table, Map.of("files", Integer.toString(files)));
    }

    private void expire(SqlTable table, int id, Instant now) {
        Instant last = expired.computeIfAbsent(id, first -> now);
        ColdTable cold = tiering.cold(table);
        boolean late = (cold.isUsed() || cold.unclean) && !now.isBefore(last.plus(RETENTION_EVERY));
        if (late || cold.expiryDue) {
            cold.expiryDue = false;
            expired.put(id, now);
            tiering.submit(Job.Type.RETENTION, table, Map.of());
        }
    }
}
