package io.polytable.store.group;

import io.polytable.store.log.LogPosition;
import io.polytable.table.Position;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A position of a store of several groups: one of each group's log. An engine's own position is a vector of one. */
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

    /** The position of a store of so many groups; the start is the start of all. */
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

    /** The last record of the group's log before the place. */
    public long record(int group) {
        Position part = parts.get(group);
        return part.equals(Position.START) ? 0 : LogPosition.of(part).record();
    }

    /** How many records lie before the place, in all logs together: grows with every commit, whichever group it is of. */
    public long records() {
        long sum = 0;
        for (int group = 0; group < parts.size(); group++) {
            sum += record(group);
        }
        return sum;
    }
}
