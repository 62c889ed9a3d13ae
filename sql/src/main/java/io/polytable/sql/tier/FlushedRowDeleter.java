package io.polytable.sql.tier;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Origin;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Deletes flushed rows from the store, each only if it is still as the snapshot showed it.
 *
 * <p>Few rows are compared and deleted one by one. Many are deleted by range, between the keys that were written since
 * the snapshot. That takes one commit, during which no other commit to the table runs.
 */
final class FlushedRowDeleter {
    /** With more keys than this to keep, range deletes do not pay. */
    static final int RANGES_MAX = 32;

    /** A range delete slows down scans of its neighbourhood a little, so few rows are deleted one by one. */
    private static final long RANGE_ROWS_MIN = 5000;

    private static final int ROWS_AT_ONCE = 256;
    private static final long BYTES_AT_ONCE = 4L << 20;
    private static final long ROOM_SECONDS_MAX = 30;

    private final Tiering tier;
    private final TableStore store;
    private final SqlTable table;
    private final Snapshot snapshot;
    private final long emptied;
    private final ChangedKeys changed;
    private final JobProgress progress;

    private record Shown(StoredRow row, Bytes value) {}

    FlushedRowDeleter(
            Tiering tier, SqlTable table, Snapshot snapshot, long emptied, ChangedKeys changed, JobProgress progress) {
        this.tier = tier;
        this.emptied = emptied;
        this.changed = changed;
        this.table = table;
        this.snapshot = snapshot;
        this.progress = progress;
        store = tier.store();
    }

    /**
     * Deletes the rows of a range.
     *
     * @param rows how many the snapshot shows there
     * @param staying keys of rows that are in no segment; beyond {@link #RANGES_MAX} the list may be incomplete
     */
    void run(KeyRange range, long rows, List<Bytes> staying) {
        if (rows < RANGE_ROWS_MIN || !deletedByRange(range, staying)) {
            oneByOne(range);
        }
        tier.reached(Step.ROWS_DELETED);
    }

    /** Returns false, with nothing deleted, if too many rows of the range must stay. */
    private boolean deletedByRange(KeyRange range, List<Bytes> staying) {
        awaitRoom();
        Lock writing = tier.catalog().writing();
        writing.lock();
        try {
            return isGone() || tier.cold(table).withoutCommits(() -> deletedWithoutCommits(range, staying));
        } finally {
            writing.unlock();
        }
    }

    private boolean deletedWithoutCommits(KeyRange range, List<Bytes> staying) {
        Optional<SortedSet<Bytes>> written = changed.within(range);
        if (written.isEmpty() || written.get().size() + staying.size() > RANGES_MAX) {
            return false;
        }
        NavigableSet<Bytes> left = new TreeSet<>(written.get());
        left.addAll(staying);
        Batch batch = new Batch(Origin.FLUSH);
        Bytes from = range.from();
        for (Bytes key : left) {
            deleteRange(batch, KeyRange.between(from, key));
            from = key.concat(Bytes.of(new byte[1]));
        }
        deleteRange(batch, KeyRange.between(from, range.to()));
        if (!batch.isEmpty()) {
            store.commit(batch);
        }
        return true;
    }

    private void deleteRange(Batch batch, KeyRange range) {
        if (!range.isEmpty()) {
            batch.deleteRange(table.table(), range);
        }
    }

    /**
     * Whether the table was dropped or truncated. A truncated table has no segments, so its rows are not those that
     * were flushed.
     */
    private boolean isGone() {
        return !tier.isThere(table) || tier.cold(table).emptied.get() != emptied;
    }

    private void oneByOne(KeyRange range) {
        List<Shown> chunk = new ArrayList<>();
        long bytes = 0;
        boolean begun = false;
        try (Cursor cursor = snapshot.scan(table.table(), range)) {
            while (cursor.next()) {
                Bytes value = cursor.value();
                chunk.add(new Shown(table.decoded(cursor.key(), value), value));
                bytes += value.length();
                if (chunk.size() >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
                    delete(chunk);
                    chunk.clear();
                    bytes = 0;
                    progress.check();
                    if (!begun) {
                        begun = true;
                        tier.reached(Step.ROWS_PARTLY_DELETED);
                    }
                }
            }
        }
        delete(chunk);
    }

    private void delete(List<Shown> chunk) {
        if (chunk.isEmpty()) {
            return;
        }
        awaitRoom();
        // Before any lock, since it may wait for a storage: no other job changes the files, and a TRUNCATE is noticed
        // under the lock.
        List<Shown> flushed = chunk.stream().filter(this::isFlushed).toList();
        if (flushed.isEmpty()) {
            return;
        }
        int[] stripes = flushed.stream()
                .mapToInt(shown -> store.stripes().stripeOf(shown.row().key().partition()))
                .distinct()
                .toArray();
        Lock writing = tier.catalog().writing();
        writing.lock();
        try {
            if (isGone()) {
                return;
            }
            store.stripes().lockAll(stripes);
            try {
                deleteLocked(flushed);
            } finally {
                store.stripes().unlockAll(stripes);
            }
        } finally {
            writing.unlock();
        }
    }

    /** A tombstone was flushed only if an older segment had a row to hide. */
    private boolean isFlushed(Shown shown) {
        return !shown.row().isDeleted()
                || table.cold()
                        .find(store, table, shown.row().key().bytes())
                        .filter(shown.row()::isSame)
                        .isPresent();
    }

    private void deleteLocked(List<Shown> chunk) {
        Batch batch = new Batch(Origin.FLUSH);
        List<Optional<Bytes>> present = store.readMany(
                table.table(), chunk.stream().map(shown -> shown.row().key()).toList());
        for (int i = 0; i < chunk.size(); i++) {
            Shown shown = chunk.get(i);
            boolean unchanged = present.get(i).filter(shown.value()::equals).isPresent();
            if (unchanged) {
                batch.delete(table.table(), shown.row().key());
            }
        }
        if (!batch.isEmpty()) {
            store.commit(batch);
        }
    }

    /** Back-pressure: deletes wait while the store is behind, so that writers go first. */
    private void awaitRoom() {
        if (store.hasRoom()) {
            return;
        }
        CountDownLatch room = new CountDownLatch(1);
        store.whenRoom(room::countDown);
        try {
            if (!room.await(ROOM_SECONDS_MAX, TimeUnit.SECONDS)) {
                progress.check();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            progress.check();
        }
    }
}
