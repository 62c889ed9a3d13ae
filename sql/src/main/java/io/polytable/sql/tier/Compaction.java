package io.polytable.sql.tier;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.StatementMemory;
import io.polytable.sql.tier.file.SegmentWriter;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.time.Instant;
import java.util.List;

/**
 * Merges small segments of a scope into one and keeps the newest row of each key. Only segments adjacent in age are
 * merged, so that the result has a definite rank among the others. If the oldest segment takes part, a tombstone has
 * nothing left to hide, and is dropped once its retention is over.
 */
final class Compaction {
    /** Larger segments are not merged. */
    static final long SMALL_ROWS = 1_000_000;

    /** Each merged segment is open, with one row group in memory. */
    private static final int FILES_AT_ONCE = 50;

    /** Limit of the row groups in memory during one merge; two segments are always merged. */
    private static final long BYTES_AT_ONCE = 256L << 20;

    private static final int CHECK_ROWS = 1000;

    private final Tiering tier;
    private final SqlTable table;
    private final SegmentPublisher publisher;
    private final JobProgress progress;
    private final int filesMin;
    private final Instant deadBefore;
    private long merged;
    private long rows;

    /** Skips scopes with fewer small segments than {@code filesMin}. */
    Compaction(Tiering tier, SqlTable table, long emptied, int filesMin, JobProgress progress) {
        this.tier = tier;
        this.table = table;
        this.progress = progress;
        this.filesMin = filesMin;
        publisher = new SegmentPublisher(tier, table, emptied);
        deadBefore =
                tier.now().minus(StorageOptions.deletedRetention(table.def().options()));
    }

    /** Returns the number of merged segments. */
    long run() {
        try (Manifests.Walk scopes =
                tier.manifests().walk(tier.store(), table.table().id())) {
            while (scopes.next()) {
                progress.check();
                compact(scopes.manifest());
            }
        }
        progress.end(rows);
        return merged;
    }

    private void compact(Manifest before) {
        Manifest manifest = before;
        List<Segment> run = run(manifest.segments());
        while (run.size() >= Math.max(2, filesMin)) {
            // Oldest first: the result takes part in the next merge until it is no longer small.
            manifest = merge(manifest, atOnce(run));
            run = run(manifest.segments());
        }
    }

    /** The longest run of small segments, in order of age. */
    private static List<Segment> run(List<Segment> segments) {
        int bestFrom = 0;
        int bestTo = 0;
        int from = 0;
        for (int i = 0; i <= segments.size(); i++) {
            boolean small = i < segments.size() && segments.get(i).rows() <= SMALL_ROWS;
            if (!small) {
                if (i - from > bestTo - bestFrom) {
                    bestFrom = from;
                    bestTo = i;
                }
                from = i + 1;
            }
        }
        return segments.subList(bestFrom, bestTo);
    }

    private static List<Segment> atOnce(List<Segment> run) {
        int files = 0;
        long bytes = 0;
        while (files < Math.min(FILES_AT_ONCE, run.size()) && (files < 2 || bytes < BYTES_AT_ONCE)) {
            bytes += Math.min(run.get(files).bytes(), SegmentWriter.ROW_GROUP_BYTES);
            files++;
        }
        return run.subList(0, files);
    }

    private Manifest merge(Manifest manifest, List<Segment> run) {
        boolean oldest = run.get(0).equals(manifest.segments().get(0));
        long order = run.get(run.size() - 1).order();
        progress.expect(run.stream().mapToLong(Segment::rows).sum());
        long replaces = oldest ? 0 : run.stream().mapToLong(Segment::replaces).sum();
        try (ColdMerge sorted = tier.files().merged(table, run, List.of(KeyRange.ALL), Direction.FORWARD, false);
                SegmentPublisher.OpenFile file = publisher.file(manifest.scope())) {
            while (sorted.next()) {
                StoredRow row = sorted.row();
                boolean dead = oldest && row.isDeleted() && row.updated().isBefore(deadBefore);
                if (!dead) {
                    file.writer.write(row, StatementMemory.sizeOf(row.values()));
                }
                if (++rows % CHECK_ROWS == 0) {
                    progress.add(CHECK_ROWS);
                }
            }
            List<Segment> result = file.writer.rows() == 0 ? List.of() : List.of(file.publish(order, replaces));
            Manifest next = publisher.next(manifest, run, result);
            publisher.commit(List.of(next));
            merged += run.size();
            return next;
        }
    }
}
