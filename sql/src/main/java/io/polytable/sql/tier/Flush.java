package io.polytable.sql.tier;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Snapshot;
import io.polytable.table.TableKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves the rows of one table that a snapshot shows from the store into segments. Writes and publishes one file per
 * scope, commits the manifests of several scopes together, and then deletes the rows from the store, each only if it is
 * still as the snapshot showed it. If it is interrupted at any point, every row is in the store, in a segment, or in
 * both.
 *
 * <p>A tombstone goes into a segment if it hides a row of an older one, and otherwise stays in the store.
 */
final class Flush {
    /** Scopes whose manifests are committed together before their rows are deleted. */
    private static final int SCOPES_MAX = 200;

    private static final int CHECK_ROWS = 1000;

    private final Tiering tier;
    private final SqlTable table;
    private final Snapshot snapshot;
    private final SegmentPublisher publisher;
    private final FlushedRowDeleter deleter;
    private final JobProgress progress;
    private final boolean packed;
    private final List<Manifest> pending = new ArrayList<>();
    private @Nullable Bytes first;
    private Bytes last = Bytes.EMPTY;

    /** Rows since {@link #first}, and the keys among them that are in no segment and must stay in the store. */
    private long seen;

    private List<Bytes> staying = new ArrayList<>();
    private @Nullable Scope scope;
    private long flushed;

    Flush(
            Tiering tier,
            SqlTable table,
            Snapshot snapshot,
            SegmentPublisher publisher,
            FlushedRowDeleter deleter,
            JobProgress progress) {
        this.tier = tier;
        this.table = table;
        this.snapshot = snapshot;
        this.publisher = publisher;
        this.deleter = deleter;
        this.progress = progress;
        packed = table.def().kind() != TableKind.USER
                || StorageOptions.isPacked(table.def().options());
    }

    /** Returns the number of rows written to segments. */
    long run() {
        tier.reached(Step.SNAPSHOT_TAKEN);
        progress.expect(count());
        try (Cursor cursor = snapshot.scan(table.table(), KeyRange.ALL)) {
            while (cursor.next()) {
                add(cursor.key(), cursor.value());
            }
            endScope();
            publish();
        } finally {
            if (scope != null) {
                scope.close();
            }
        }
        progress.end(flushed);
        return flushed;
    }

    /** Reading the keys takes a small part of the time that it takes to write the rows to files. */
    private long count() {
        long count = 0;
        try (Cursor cursor = snapshot.scan(table.table(), KeyRange.ALL)) {
            while (cursor.next()) {
                if (++count % CHECK_ROWS == 0) {
                    progress.check();
                }
            }
        }
        return count;
    }

    private void add(Bytes key, Bytes value) {
        String owner = packed ? "" : table.userOf(key);
        if (scope == null || !scope.name.equals(owner)) {
            endScope();
            if (pending.size() >= SCOPES_MAX) {
                publish();
            }
            scope = new Scope(owner, key);
        }
        first = first == null ? key : first;
        last = key;
        seen++;
        scope.add(table.decoded(key, value), (long) key.length() + value.length());
    }

    private void endScope() {
        Scope ending = scope;
        scope = null;
        if (ending != null) {
            try (ending) {
                ending.end();
            }
        }
    }

    private void publish() {
        Bytes from = first;
        if (from == null) {
            return;
        }
        if (!pending.isEmpty()) {
            publisher.commit(pending);
            pending.clear();
        }
        KeyRange done = KeyRange.between(from, last.concat(Bytes.of(new byte[1])));
        deleter.run(done, seen, staying);
        first = null;
        seen = 0;
        staying = new ArrayList<>();
    }

    /** The rows of one scope. */
    private final class Scope implements AutoCloseable {
        private final String name;
        private final Manifest manifest;
        private final ColdMerge older;
        private SegmentPublisher.@Nullable OpenFile file;
        private @Nullable StoredRow olderRow;
        private long replaces;

        Scope(String name, Bytes from) {
            this.name = name;
            manifest = tier.manifests()
                    .current(tier.store(), table.table().id(), name)
                    .orElseGet(() -> Manifest.empty(
                            table.name().toString(), table.table().id(), name));
            // A merge over the keys of the store and of older segments, both sorted, finds the rows that older segments
            // have too.
            List<Segment> segments = tier.cold(table).manifests(tier.store(), table, name).stream()
                    .flatMap(each -> each.segments().stream())
                    .toList();
            older = tier.files()
                    .merged(table, segments, List.of(KeyRange.between(from, Bytes.EMPTY)), Direction.FORWARD, true);
            olderRow = first(older);
        }

        private static @Nullable StoredRow first(ColdMerge rows) {
            try {
                return rows.next() ? rows.row() : null;
            } catch (RuntimeException failure) {
                // No caller holds it yet, and pinned files are never deleted.
                rows.close();
                throw failure;
            }
        }

        void add(StoredRow row, long bytes) {
            StoredRow before = olderAt(row.key().bytes());
            if (row.isDeleted() && before == null) {
                if (staying.size() <= FlushedRowDeleter.RANGES_MAX) {
                    staying.add(row.key().bytes());
                }
                return;
            }
            if (before != null && isThere(row, before)) {
                return;
            }
            replaces += before == null ? 0 : 1;
            SegmentPublisher.OpenFile target = file;
            if (target == null) {
                target = publisher.file(name);
                file = target;
            }
            target.writer.write(row, bytes);
            if (++flushed % CHECK_ROWS == 0) {
                progress.add(CHECK_ROWS);
            }
        }

        private @Nullable StoredRow olderAt(Bytes key) {
            while (olderRow != null && olderRow.key().bytes().compareTo(key) < 0) {
                olderRow = older.next() ? older.row() : null;
            }
            return olderRow != null && olderRow.key().bytes().equals(key) ? olderRow : null;
        }

        /**
         * Whether the segments already hold this row: a flush was interrupted before it deleted the row from the store.
         */
        private boolean isThere(StoredRow row, StoredRow before) {
            return before.updated().equals(row.updated())
                    && before.isDeleted() == row.isDeleted()
                    && table.cold()
                            .find(tier.store(), table, row.key().bytes())
                            .filter(row::isSame)
                            .isPresent();
        }

        void end() {
            if (file != null) {
                Segment segment = file.publish(-1, replaces);
                pending.add(publisher.next(manifest, List.of(), List.of(segment)));
            }
        }

        @Override
        public void close() {
            older.close();
            if (file != null) {
                file.close();
            }
        }
    }
}
