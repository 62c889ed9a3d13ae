package io.polytable.store.group;

import io.polytable.store.log.LogPosition;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A position in a store of several groups: one position per group's log. A single engine's position is a vector of one.
 */
public record PositionVector(List<Position> parts) {
    private static final String SEPARATOR = ",";

    public PositionVector {
        parts = List.copyOf(parts);
    }

    public static PositionVector of(Position position) {
        return new PositionVector(Arrays.stream(position.text().split(SEPARATOR, -1))
                .map(Position::new)
                .toList());
    }

    /** Parses a position of a store with that many groups; the start position is the start of every log. */
    static PositionVector of(Position position, int groups) {
        if (position.equals(Position.START)) {
            return new PositionVector(Collections.nCopies(groups, Position.START));
        }
        PositionVector vector = of(position);
        if (vector.parts.size() != groups) {
            throw new StoreException(
                    StoreError.BAD_POSITION,
                    "Not a position of this store",
                    Map.of("position", position.text(), "groups", groups));
        }
        return vector;
    }

    Position toPosition() {
        return new Position(
                String.join(SEPARATOR, parts.stream().map(Position::text).toArray(String[]::new)));
    }

    /** The last record of the group's log that the position includes; 0 at the start. */
    public long record(int group) {
        Position part = parts.get(group);
        return part.equals(Position.START) ? 0 : LogPosition.of(part).record();
    }

    /**
     * The number of records that the position includes, over all logs: it grows with every commit, in whichever group.
     */
    public long records() {
        long sum = 0;
        for (int group = 0; group < parts.size(); group++) {
            sum += record(group);
        }
        return sum;
    }
}
