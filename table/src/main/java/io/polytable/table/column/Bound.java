package io.polytable.table.column;

/** One end of a range of values of a key column. */
public sealed interface Bound {
    /** Unbounded: up to the column's smallest or largest value. */
    record Open() implements Bound {}

    record Inclusive(Value value) implements Bound {}

    record Exclusive(Value value) implements Bound {}
}
