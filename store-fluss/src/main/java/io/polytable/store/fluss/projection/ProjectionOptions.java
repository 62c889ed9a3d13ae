package io.polytable.store.fluss.projection;

import java.time.Duration;

/**
 * The options of a projection.
 *
 * @param buckets of each new table
 * @param interval from the start of one window to the next; without commits there are no windows
 * @param batchRows the most rows written together
 * @param batchBytes the most bytes in flight, plus one row
 * @param valueBytesMax longer values are shown as null: a server's request size is limited
 * @param quiet how long, twice, nothing must arrive for a rebuild to take a table's changes as complete
 */
public record ProjectionOptions(
        int buckets, Duration interval, int batchRows, long batchBytes, long valueBytesMax, Duration quiet) {
    public static final ProjectionOptions DEFAULT =
            new ProjectionOptions(1, Duration.ofSeconds(1), 5_000, 8L << 20, 16L << 20, Duration.ofSeconds(3));

    public ProjectionOptions withInterval(Duration time) {
        return new ProjectionOptions(buckets, time, batchRows, batchBytes, valueBytesMax, quiet);
    }

    public ProjectionOptions withBatchRows(int most) {
        return new ProjectionOptions(buckets, interval, most, batchBytes, valueBytesMax, quiet);
    }

    public ProjectionOptions withBuckets(int count) {
        return new ProjectionOptions(count, interval, batchRows, batchBytes, valueBytesMax, quiet);
    }

    public ProjectionOptions withQuiet(Duration time) {
        return new ProjectionOptions(buckets, interval, batchRows, batchBytes, valueBytesMax, time);
    }
}
