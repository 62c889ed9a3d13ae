package io.polytable.frontend.metric;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A latency histogram in powers of two of a microsecond: one array, no allocation, two additions per recording. */
public final class LatencyCounts {
    /** Up to about 33 seconds; the last bucket holds everything longer. */
    private static final int BUCKETS = 27;

    private static final List<Double> BOUNDS_SECONDS = IntStream.range(0, BUCKETS)
            .mapToObj(i -> i == BUCKETS - 1 ? Double.POSITIVE_INFINITY : (1L << i) / 1e6)
            .toList();

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 1);

    /**
     * A copy of the counts.
     *
     * @param boundsSeconds the upper bound of each bucket; the last one is infinite
     * @param counts the count of each bucket alone
     */
    public record Reading(List<Double> boundsSeconds, List<Long> counts, double sumSeconds) {
        public Reading {
            boundsSeconds = List.copyOf(boundsSeconds);
            counts = List.copyOf(counts);
        }

        public long total() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }
    }

    public void record(long nanos) {
        counts.getAndIncrement(bucketOf(nanos));
        counts.getAndAdd(BUCKETS, Math.max(0, nanos));
    }

    public Reading read() {
        List<Long> read =
                LongStream.range(0, BUCKETS).mapToObj(i -> counts.get((int) i)).toList();
        return new Reading(BOUNDS_SECONDS, read, counts.get(BUCKETS) / (double) TimeUnit.SECONDS.toNanos(1));
    }

    private static int bucketOf(long nanos) {
        long micros = Math.max(1, (nanos + 999) / 1000);
        return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(micros - 1));
    }
}
