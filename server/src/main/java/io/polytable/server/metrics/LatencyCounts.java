package io.polytable.server.metrics;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How often something took how long, in powers of two of a microsecond: one array, no allocation,
 * two additions a recording.
 */
public final class LatencyCounts {
    /** Up to about 33 seconds; the last bucket takes whatever is longer. */
    private static final int BUCKETS = 27;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 1);

    /** What was counted when it was looked at: bucket i holds what took at most 2^i microseconds. */
    public record Reading(List<Long> counts, double sumSeconds) {
        public Reading {
            counts = List.copyOf(counts);
        }

        /** The upper bound of each bucket in seconds, the last one unbounded. */
        public List<Double> boundsSeconds() {
            return IntStream.range(0, counts.size())
                    .mapToObj(i -> i == counts.size() - 1 ? Double.POSITIVE_INFINITY : (1L << i) / 1e6)
                    .toList();
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
        return new Reading(read, counts.get(BUCKETS) / (double) TimeUnit.SECONDS.toNanos(1));
    }

    private static int bucketOf(long nanos) {
        long micros = Math.max(1, (nanos + 999) / 1000);
        return Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(micros - 1));
    }
}
