package io.polytable.cells;

/** What became of one row write of a batch. */
public sealed interface WriteOutcome {
    record Done(WriteResult result) implements WriteOutcome {}

    record Failed(CellException failure) implements WriteOutcome {}
}
