package io.polytable.store.log;

import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a {@link Position} of the engine says: the log's incarnation and the last record before the place. */
public record LogPosition(long incarnation, long record) {
    private static final int HEX = 16;

    public Position toPosition() {
        return new Position(Long.toHexString(incarnation) + "-" + Long.toHexString(record));
    }

    public static LogPosition parse(Position position, long incarnation) {
        return position.equals(Position.START)
                ? new LogPosition(incarnation, 0)
                : of(position).checked(incarnation);
    }

    /** What a position of an engine says, of whichever incarnation. */
    public static LogPosition of(Position position) {
        String[] parts = position.text().split("-", -1);
        try {
            if (parts.length == 2) {
                return new LogPosition(Long.parseUnsignedLong(parts[0], HEX), Long.parseUnsignedLong(parts[1], HEX));
            }
        } catch (NumberFormatException e) {
            throw bad(position, e);
        }
        throw bad(position, null);
    }

    /** A restored store goes on with other commits at the same numbers: positions of the one mean nothing in the other. */
    private LogPosition checked(long present) {
        if (incarnation != present) {
            throw new StoreException(
                    StoreError.POSITION_EXPIRED, "The store was restored since", Map.of("position", toPosition()));
        }
        return this;
    }

    private static StoreException bad(Position position, @Nullable Throwable cause) {
        return new StoreException(
                StoreError.BAD_POSITION, "Not a position of this store", Map.of("position", position.text()), cause);
    }
}
