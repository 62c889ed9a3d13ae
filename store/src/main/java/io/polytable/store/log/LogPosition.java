package io.polytable.store.log;

import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A decoded {@link Position} of an engine: the log's incarnation and the last record before it. */
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

    /** Decodes a position of an engine, of any incarnation. */
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

    /**
     * A restored store continues with different commits at the same numbers, so positions of one incarnation mean
     * nothing in another.
     */
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
