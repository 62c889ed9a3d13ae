package io.polytable.entity.cassandra;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Write times in microseconds, each later than the one before it, so that a put after a delete is after it. */
final class WriteClock {
    private static final AtomicLong LAST = new AtomicLong();

    private WriteClock() {}

    static long nextMicros() {
        long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        return LAST.updateAndGet(last -> Math.max(last + 1, now));
    }

    static long toMillis(long micros) {
        return TimeUnit.MICROSECONDS.toMillis(micros);
    }

    /** The first microsecond of a cell's time. */
    static long first(long millis) {
        return TimeUnit.MILLISECONDS.toMicros(millis);
    }

    /** The last microsecond of a cell's time. */
    static long last(long millis) {
        long first = TimeUnit.MILLISECONDS.toMicros(millis);
        return first > Long.MAX_VALUE - 1000 ? Long.MAX_VALUE : first + 999;
    }
}
