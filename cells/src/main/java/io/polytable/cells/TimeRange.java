package io.polytable.cells;

/** Timestamps from {@code min} (inclusive) to {@code max} (exclusive). */
public record TimeRange(long min, long max) {
    public static final TimeRange ALL = new TimeRange(0, Long.MAX_VALUE);

    public TimeRange {
        if (min < 0 || max < min) {
            throw new CellException(CellError.BAD_REQUEST, "A time range is negative or ends before it starts");
        }
    }

    /** Exactly one timestamp. */
    public static TimeRange at(long timestamp) {
        return new TimeRange(timestamp, timestamp == Long.MAX_VALUE ? timestamp : timestamp + 1);
    }

    public boolean contains(long timestamp) {
        return timestamp >= min && isBeforeEnd(timestamp);
    }

    /** An end of {@link Long#MAX_VALUE} is unbounded. */
    public boolean isBeforeEnd(long timestamp) {
        return timestamp < max || max == Long.MAX_VALUE;
    }
}
