package io.polytable.entity.cassandra.cluster;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Write times in microseconds, each later than the one before it, so that a put after a delete is after it. They follow the
 * cluster's clock where the program's own is wrong: conditional writes have the nodes' time, and a delete from the future would
 * hide the increments that come after it.
 */
public final class WriteClock {
    private static final int PROBES = 3;

    /** Clocks that agree so far are left alone: the measurement is no better. */
    private static final long TOLERATED_MICROS = TimeUnit.MILLISECONDS.toMicros(20);

    private final InstantSource source;
    private final long leadMicros;
    private final AtomicLong last = new AtomicLong();

    private WriteClock(InstantSource source, long leadMicros) {
        this.source = source;
        this.leadMicros = leadMicros;
    }

    /**
     * A program's clock, put right by a node's.
     *
     * @param nodeMicros asks the node
     */
    public static WriteClock following(InstantSource source, LongSupplier nodeMicros) {
        long lead = 0;
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < PROBES; i++) {
            long asked = micros(source);
            long theirs = nodeMicros.getAsLong();
            long took = micros(source) - asked;
            // The quickest answer says most about when it was given.
            if (took < shortest) {
                shortest = took;
                lead = asked + took / 2 - theirs;
            }
        }
        boolean isWrong = Math.abs(lead) > TOLERATED_MICROS + shortest / 2;
        return new WriteClock(source, isWrong ? lead : 0);
    }

    private static long micros(InstantSource source) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, source.instant());
    }

    public long nextMicros() {
        long now = micros(source) - leadMicros;
        return last.updateAndGet(before -> Math.max(before + 1, now));
    }

    public long nowMillis() {
        return toMillis(micros(source) - leadMicros);
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
