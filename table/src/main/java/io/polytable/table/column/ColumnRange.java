package io.polytable.table.column;

import java.util.Optional;

/** A range of values of a key column, in key order: bytes unsigned, text by code point, -0.0 before +0.0. */
public record ColumnRange(Bound lower, Bound upper) {
    public static ColumnRange equalTo(Value value) {
        return new ColumnRange(new Bound.Inclusive(value), new Bound.Inclusive(value));
    }

    public static ColumnRange atLeast(Value value) {
        return new ColumnRange(new Bound.Inclusive(value), new Bound.Open());
    }

    public static ColumnRange below(Value value) {
        return new ColumnRange(new Bound.Open(), new Bound.Exclusive(value));
    }

    /** From one value, inclusive, to before another. */
    public static ColumnRange between(Value from, Value to) {
        return new ColumnRange(new Bound.Inclusive(from), new Bound.Exclusive(to));
    }

    /** The single value of the range, if it was created as one. */
    public Optional<Value> onlyValue() {
        return lower instanceof Bound.Inclusive low && upper instanceof Bound.Inclusive high && low.equals(high)
                ? Optional.of(low.value())
                : Optional.empty();
    }
}
