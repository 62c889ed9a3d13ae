package io.polytable.cells.request;

import io.polytable.cells.Cell;
import io.polytable.cells.TimeRange;
import io.polytable.table.Bytes;
import java.util.Optional;
import java.util.function.Predicate;

/** What must hold of the row for a {@link RowWrite} to be applied; checked together with it, atomically. */
public sealed interface Condition {
    /** How the stored value stands to the given one, compared unsigned. */
    enum Relation {
        LESS,
        LESS_OR_EQUAL,
        EQUAL,
        NOT_EQUAL,
        GREATER_OR_EQUAL,
        GREATER;

        /** Whether it holds of a comparison's result, stored value first. */
        public boolean holds(int comparison) {
            return switch (this) {
                case LESS -> comparison < 0;
                case LESS_OR_EQUAL -> comparison <= 0;
                case EQUAL -> comparison == 0;
                case NOT_EQUAL -> comparison != 0;
                case GREATER_OR_EQUAL -> comparison >= 0;
                case GREATER -> comparison > 0;
            };
        }
    }

    /** The column has no version in the time range. */
    record Absent(Bytes family, Bytes qualifier, TimeRange times) implements Condition {
        public Absent(Bytes family, Bytes qualifier) {
            this(family, qualifier, TimeRange.ALL);
        }
    }

    /** The column's newest version stands so to the value; never true of a column that has none. */
    record Compares(Bytes family, Bytes qualifier, TimeRange times, Relation relation, Bytes value)
            implements Condition {
        public Compares(Bytes family, Bytes qualifier, Relation relation, Bytes value) {
            this(family, qualifier, TimeRange.ALL, relation, value);
        }
    }

    /** Any test of the column's newest version, or of there being none. Only stores with FILTERS run it. */
    record Matches(Bytes family, Bytes qualifier, TimeRange times, Predicate<Optional<Cell>> test)
            implements Condition {}

    /** A read of the row with the selection, filter included, has a cell. Only stores with FILTERS run it. */
    record Selects(Selection selection) implements Condition {}
}
