package io.polytable.entity.cassandra.cluster;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A clock for write times in microseconds, strictly monotonic, so that a put after a delete has a later time. It
 * follows the cluster's clock if the program's clock is wrong: conditional writes have the nodes' time, and a delete
 * from the future would hide later increments.
 *
 * <p>A clock that was found wrong is not read again, since correcting it later would make this one wrong by the same
 * amount: from then on only elapsed time is added.
 */
public final class WriteClock {
    private static final int PROBES = 3;

    /**
     * A slow answer says little about the node's time, and the first answers of a process are slow: they are repeated.
     */
    private static final int SLOW_MAX = 5;

    /** Smaller differences are ignored: the measurement is no more precise. */
    private static final long TOLERATED_MICROS = TimeUnit.MILLISECONDS.toMicros(20);

    private final LongSupplier micros;
    private final AtomicLong last = new AtomicLong();

    private WriteClock(LongSupplier micros) {
        this.micros = micros;
    }

    /** As {@link #following(InstantSource, LongSupplier, LongSupplier)}, in this process. */
    public static WriteClock following(InstantSource source, LongSupplier nodeMicros) {
        return following(source, System::nanoTime, nodeMicros);
    }

    /**
     * A program's clock, corrected by the nodes' if all of the sampled answers disagree with it: a single node may be
     * wrong itself.
     *
     * @param nanos measures elapsed time
     * @param nodeMicros asks a node, possibly another one each time
     */
    static WriteClock following(InstantSource source, LongSupplier nanos, LongSupplier nodeMicros) {
        long[] leads = new long[PROBES];
        boolean isWrong = true;
        int probes = 0;
        int slow = 0;
        while (probes < PROBES) {
            long asked = micros(source);
            long began = nanos.getAsLong();
            long theirs = nodeMicros.getAsLong();
            long half = TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - began) / 2;
            if (half > TOLERATED_MICROS / 2 && slow < SLOW_MAX) {
                slow++;
            } else {
                long lead = asked + half - theirs;
                leads[probes++] = lead;
                isWrong &= Math.abs(lead) > TOLERATED_MICROS + half;
            }
        }
        if (!isWrong) {
            return new WriteClock(() -> micros(source));
        }
        Arrays.sort(leads);
        long start = micros(source) - leads[PROBES / 2];
        long startNanos = nanos.getAsLong();
        return new WriteClock(() -> start + TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - startNanos));
    }

    private static long micros(InstantSource source) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, source.instant());
    }

    public long nextMicros() {
        long now = micros.getAsLong();
        return last.updateAndGet(before -> Math.max(before + 1, now));
    }

    public long nowMillis() {
        return toMillis(micros.getAsLong());
    }

    public static long toMillis(long micros) {
        return TimeUnit.MICROSECONDS.toMillis(micros);
    }

    /** The first microsecond of a cell's time. */
    public static long first(long millis) {
        return TimeUnit.MILLISECONDS.toMicros(millis);
    }

    /** The last microsecond of a cell's time. */
    public static long last(long millis) {
        long first = TimeUnit.MILLISECONDS.toMicros(millis);
        return first > Long.MAX_VALUE - 1000 ? Long.MAX_VALUE : first + 999;
    }
}
