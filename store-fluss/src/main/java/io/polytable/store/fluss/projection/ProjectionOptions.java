package io.polytable.store.fluss.projection;

import java.time.Duration;

/**
 * How a projection is kept.
 *
 * @param buckets of each table that is created
 * @param interval from the begin of one window to the next; while nothing is committed there are none
 * @param batchRows as many rows at most are written together
 * @param batchBytes no more than this, and one row, is on its way at a time
 * @param valueBytesMax longer values are shown as absent: what a server takes in one request has an end
 */
public record ProjectionOptions(int buckets, Duration interval, int batchRows, long batchBytes, long valueBytesMax) {
    public static final ProjectionOptions DEFAULT =
            new ProjectionOptions(1, Duration.ofSeconds(1), 5_000, 8L << 20, 16L << 20);

    public ProjectionOptions withInterval(Duration time) {
        return new ProjectionOptions(buckets, time, batchRows, batchBytes, valueBytesMax);
    }

    public ProjectionOptions withBatchRows(int most) {
        return new ProjectionOptions(buckets, interval, most, batchBytes, valueBytesMax);
    }

    public ProjectionOptions withBuckets(int count) {
        return new ProjectionOptions(count, interval, batchRows, batchBytes, valueBytesMax);
    }
}
