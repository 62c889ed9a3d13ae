package io.polytable.sql.tier;

import io.polytable.sql.model.definition.StorageOptions;
import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.model.transaction.HeapBudget;
import io.polytable.sql.tier.file.SegmentWriter;
import io.polytable.sql.tier.job.Progress;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import java.time.Instant;
import java.util.List;

/**
 * Merges small files of a scope into one: of each key only the newest row stays. Files that follow each other in age are merged,
 * so that the result has its place among the others. Where the oldest file is among them a tombstone has nothing left to hide,
 * and goes once its retention is over.
 */
final class Compaction {
    /** Files of more rows than this are left alone. */
    static final long SMALL_ROWS = 1_000_000;

    /** Each of them is open while it is read, with a row group in memory. */
    private static final int FILES_AT_ONCE = 50;

    /** What the files that are merged at once have in all, as far as it may be in memory; two always are. */
    private static final long BYTES_AT_ONCE = 256L << 20;

    private static final int CHECK_ROWS = 1000;

    private final Tiering tier;
    private final SqlTable table;
    private final SegmentPublisher publisher;
    private final Progress progress;
    private final int filesMin;
    private final Instant deadBefore;
    private long merged;
    private long rows;

    /** Scopes with fewer small files than {@code filesMin} stay as they are. */
    Compaction(Tiering tier, SqlTable table, long emptied, int filesMin, Progress progress) {
        this.tier = tier;
        this.table = table;
        this.progress = progress;
        this.filesMin = filesMin;
        publisher = new SegmentPublisher(tier, table, emptied);
        deadBefore =
                tier.now().minus(StorageOptions.deletedRetention(table.def().options()));
    }

    /** Answers how many files it merged. */
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
            // The oldest first: the result takes part in the next merge, until it is not small any more.
            manifest = merge(manifest, atOnce(run));
            run = run(manifest.segments());
        }
    }

    /** The longest run of small files, in the order of age. */
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
        long replaces = oldest ? 0 : run.stream().mapToLong(Segment::replaces).sum();
        try (ColdMerge sorted = tier.files().merged(table, run, List.of(KeyRange.ALL), Direction.FORWARD, false);
                SegmentPublisher.OpenFile file = publisher.file(manifest.scope())) {
            while (sorted.next()) {
                StoredRow row = sorted.row();
                boolean dead = oldest && row.isDeleted() && row.updated().isBefore(deadBefore);
                if (!dead) {
                    file.writer.write(row, HeapBudget.sizeOf(row.values()));
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
