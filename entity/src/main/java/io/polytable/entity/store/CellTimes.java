package io.polytable.entity.store;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.util.Map;

/** Timestamps from {@code min} (inclusive) to {@code max} (exclusive); {@link Long#MAX_VALUE} is unbounded. */
public record CellTimes(long min, long max) {
    public static final CellTimes ALL = new CellTimes(0, Long.MAX_VALUE);

    public CellTimes {
        if (min < 0 || max < min) {
            throw new EntityException(
                    EntityError.BAD_REQUEST,
                    "A time range is negative or ends before it starts",
                    Map.of("min", min, "max", max));
        }
    }

    public boolean contains(long timestamp) {
        return timestamp >= min && (timestamp < max || max == Long.MAX_VALUE);
    }
}
