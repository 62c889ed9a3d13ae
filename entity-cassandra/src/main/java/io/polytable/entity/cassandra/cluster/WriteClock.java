package io.polytable.entity.cassandra.cluster;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Write times in microseconds, each later than the one before it, so that a put after a delete is after it. They follow the
 * cluster's clock where the program's own is wrong: conditional writes have the nodes' time, and a delete from the future would
 * hide the increments that come after it.
 *
 * <p>A clock that was found wrong is not looked at again, since whoever puts it right later would make this one wrong by as much:
 * from then on the time that passes is counted.
 */
public final class WriteClock {
    private static final int PROBES = 3;

    /** A slow answer says little about when it was given, and the first ones of a process are slow: they are asked for again. */
    private static final int SLOW_MAX = 5;

    /** Clocks that agree so far are left alone: the measurement is no better. */
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
     * A program's clock, put right by the nodes' if all that are asked call it wrong: one node alone may be wrong itself.
     *
     * @param nanos counts the time that passes
     * @param nodeMicros asks a node, each time perhaps another
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
