package io.polytable.store.fluss.projection;

import io.polytable.store.fluss.FlussCluster;
import io.polytable.store.fluss.projection.SavedProgress.TableOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;

/** A table's changelog, followed from given offsets on. Not thread-safe. */
final class TableTail implements AutoCloseable {
    /** How long to wait for more once something has arrived: while there is more, it arrives sooner. */
    static final Duration MORE = Duration.ofMillis(20);

    private final long tableId;
    private final long[] next;
    private final boolean isGapless;
    private final LogScanner scanner;

    /**
     * Starts to follow.
     *
     * @param columns the columns to read
     * @param from empty for changes from now on
     */
    TableTail(FlussCluster cluster, TablePath path, Table table, int[] columns, Optional<TableOffsets> from) {
        tableId = table.getTableInfo().getTableId();
        List<Integer> buckets =
                IntStream.range(0, table.getTableInfo().getNumBuckets()).boxed().toList();
        Map<Integer, Long> first = offsets(cluster, path, buckets, new OffsetSpec.EarliestSpec());
        Map<Integer, Long> end = offsets(cluster, path, buckets, new OffsetSpec.LatestSpec());
        next = new long[buckets.size()];
        boolean continues = true;
        scanner = table.newScan().project(columns).createLogScanner();
        for (int bucket : buckets) {
            long last = end.getOrDefault(bucket, 0L);
            long wanted = from.filter(of -> of.next().size() > bucket)
                    .map(of -> of.next().get(bucket))
                    .orElse(last);
            continues &= wanted <= last;
            // What expired meanwhile cannot be verified any more.
            next[bucket] = Math.max(first.getOrDefault(bucket, 0L), Math.min(wanted, last));
            scanner.subscribe(bucket, next[bucket]);
        }
        isGapless = continues && from.stream().allMatch(of -> of.tableId() == tableId);
    }

    private static Map<Integer, Long> offsets(
            FlussCluster cluster, TablePath path, List<Integer> buckets, OffsetSpec which) {
        return cluster.await(cluster.connection()
                .getAdmin()
                .listOffsets(path, buckets, which)
                .all());
    }

    /** Whether it is the table that the offsets are of, and still holds everything below them. */
    boolean isGapless() {
        return isGapless;
    }

    /** The changes that have arrived, or arrive in this time. */
    List<ScanRecord> poll(Duration wait) {
        ScanRecords records = scanner.poll(wait);
        List<ScanRecord> found = new ArrayList<>();
        for (TableBucket bucket : records.buckets()) {
            for (ScanRecord record : records.records(bucket)) {
                found.add(record);
                next[bucket.getBucket()] = record.logOffset() + 1;
            }
        }
        return found;
    }

    /** Passes on all changes that have arrived. */
    void drain(Consumer<ScanRecord> each) {
        for (List<ScanRecord> some = poll(Duration.ZERO); !some.isEmpty(); some = poll(MORE)) {
            some.forEach(each);
        }
    }

    TableOffsets offsets() {
        return new TableOffsets(tableId, Arrays.stream(next).boxed().toList());
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
