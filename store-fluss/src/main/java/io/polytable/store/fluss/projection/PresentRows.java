package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.metadata.KvSnapshots;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.utils.CloseableIterator;

/**
 * Lists the keys of all rows in the tables, and possibly of some that were there before: from Fluss' newest snapshot of
 * each bucket, and then its changelog since. Fluss has no scan over the present rows of a bucket of arbitrary size.
 */
final class PresentRows {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration SNAPSHOT_POLL = Duration.ofSeconds(10);

    private final FlussCluster cluster;
    private final Duration quiet;
    private final BiConsumer<ShownTarget, List<Value>> found;

    /**
     * @param quiet how long, twice, nothing must arrive for a bucket to be at its end: offsets without a row are not
     *     reported
     * @param found called with each key, with some more than once
     */
    PresentRows(FlussCluster cluster, Duration quiet, BiConsumer<ShownTarget, List<Value>> found) {
        this.cluster = cluster;
        this.quiet = quiet;
        this.found = found;
    }

    void walk(List<ShownTarget> targets) {
        List<Tail> tails = new ArrayList<>();
        try {
            for (ShownTarget target : targets) {
                Map<Integer, Long> from = walkSnapshots(target);
                tails.add(new Tail(target, from, ends(target)));
            }
            follow(tails);
        } finally {
            tails.forEach(Tail::close);
        }
    }

    private Admin admin() {
        return cluster.connection().getAdmin();
    }

    private static List<Integer> buckets(ShownTarget target) {
        return IntStream.range(0, target.table().getTableInfo().getNumBuckets())
                .boxed()
                .toList();
    }

    private Map<Integer, Long> ends(ShownTarget target) {
        return cluster.await(admin().listOffsets(target.path(), buckets(target), new OffsetSpec.LatestSpec())
                .all());
    }

    /** Returns the offset from which to read each bucket's changelog. */
    private Map<Integer, Long> walkSnapshots(ShownTarget target) {
        KvSnapshots snapshots = cluster.await(admin().getLatestKvSnapshots(target.path()));
        Map<Integer, Long> from = new HashMap<>();
        for (int bucket : buckets(target)) {
            boolean isThere = snapshots.getSnapshotId(bucket).isPresent();
            if (isThere) {
                TableBucket of = new TableBucket(snapshots.getTableId(), bucket);
                walkSnapshot(target, of, snapshots.getSnapshotId(bucket).getAsLong());
            }
            from.put(bucket, isThere ? snapshots.getLogOffset(bucket).orElse(0) : LogScanner.EARLIEST_OFFSET);
        }
        return from;
    }

    private void walkSnapshot(ShownTarget target, TableBucket bucket, long snapshot) {
        try (BatchScanner scanner =
                target.table().newScan().project(target.keyColumnArray()).createBatchScanner(bucket, snapshot)) {
            for (CloseableIterator<InternalRow> rows = scanner.pollBatch(SNAPSHOT_POLL);
                    rows != null;
                    rows = scanner.pollBatch(SNAPSHOT_POLL)) {
                try (CloseableIterator<InternalRow> batch = rows) {
                    batch.forEachRemaining(row -> found.accept(target, target.key(row)));
                }
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreError.IO, "A snapshot in Fluss cannot be read", Map.of("table", target.path()), e);
        }
    }

    private void follow(List<Tail> tails) {
        // Surplus rows that are not found stay forever: one slow response must not end the scan.
        IdleDetector silence = new IdleDetector(quiet, () -> askLeaders(tails), System::nanoTime);
        while (tails.stream().anyMatch(Tail::isOpen) && !silence.isTheEnd()) {
            for (Tail tail : tails) {
                if (tail.isOpen() && tail.poll()) {
                    silence.broken();
                }
            }
        }
    }

    private void askLeaders(List<Tail> tails) {
        for (Tail tail : tails) {
            if (tail.isOpen()) {
                Map<Integer, Long> unusedEnds = ends(tail.target);
            }
        }
    }

    /** The changelog of a table since its snapshots, up to its end when this began. */
    private final class Tail implements AutoCloseable {
        private final ShownTarget target;
        private final Map<Integer, Long> ends = new HashMap<>();
        private final LogScanner scanner;

        Tail(ShownTarget target, Map<Integer, Long> from, Map<Integer, Long> ends) {
            this.target = target;
            scanner = target.table().newScan().project(target.keyColumnArray()).createLogScanner();
            ends.forEach((bucket, end) -> {
                if (end > 0) {
                    this.ends.put(bucket, end);
                    scanner.subscribe(bucket, from.getOrDefault(bucket, LogScanner.EARLIEST_OFFSET));
                }
            });
        }

        boolean isOpen() {
            return !ends.isEmpty();
        }

        boolean poll() {
            ScanRecords records = scanner.poll(POLL);
            for (TableBucket bucket : records.buckets()) {
                for (ScanRecord row : records.records(bucket)) {
                    found.accept(target, target.key(row.getRow()));
                    if (row.logOffset() + 1 >= ends.getOrDefault(bucket.getBucket(), Long.MAX_VALUE)) {
                        ends.remove(bucket.getBucket());
                    }
                }
            }
            return !records.isEmpty();
        }

        @Override
        public void close() {
            try {
                scanner.close();
            } catch (Exception e) {
                throw new IllegalStateException("A scanner of Fluss does not close", e);
            }
        }
    }
}
