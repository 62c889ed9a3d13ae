package io.polytable.cells.request;

import io.polytable.cells.Cell;
import io.polytable.cells.TimeRange;
import io.polytable.table.Bytes;
import java.util.Optional;
import java.util.function.Predicate;

/** A precondition of a {@link RowWrite} on its row, evaluated atomically with the write. */
public sealed interface Condition {
    /** Compares the stored value with the given one, as unsigned bytes. */
    enum Relation {
        LESS,
        LESS_OR_EQUAL,
        EQUAL,
        NOT_EQUAL,
        GREATER_OR_EQUAL,
        GREATER;

        /** Whether it holds for the result of {@code stored.compareTo(given)}. */
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

    /** The column's newest version compares to the value in this way; false if there is no version. */
    record Compares(Bytes family, Bytes qualifier, TimeRange times, Relation relation, Bytes value)
            implements Condition {
        public Compares(Bytes family, Bytes qualifier, Relation relation, Bytes value) {
            this(family, qualifier, TimeRange.ALL, relation, value);
        }
    }

    /** A test of the column's newest version, or of its absence. Only stores with FILTERS support it. */
    record Matches(Bytes family, Bytes qualifier, TimeRange times, Predicate<Optional<Cell>> test)
            implements Condition {}

    /**
     * A read of the row with the selection, including its filter, returns a cell. Only stores with FILTERS support it.
     */
    record Selects(Selection selection) implements Condition {}
}
