package io.polytable.store.fluss.ownership;

import java.time.Duration;

/**
 * A point in time by two clocks. The monotonic clock stands still while the machine is suspended, the wall clock may be
 * set back: whoever holds a lease counts the time of the clock that went further.
 */
public record Moment(long monotonicNanos, long wallMillis) {
    /** The time since then, by the clock that shows more of it; never negative. */
    public Duration since(Moment earlier) {
        Duration monotonic = Duration.ofNanos(monotonicNanos - earlier.monotonicNanos);
        Duration wall = Duration.ofMillis(wallMillis - earlier.wallMillis);
        Duration longer = monotonic.compareTo(wall) > 0 ? monotonic : wall;
        return longer.isNegative() ? Duration.ZERO : longer;
    }
}
