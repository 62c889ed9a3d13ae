package io.polytable.cells.request;

import io.polytable.cells.CellException;

/** The outcome of one row write of a batch. */
public sealed interface WriteOutcome {
    record Done(WriteResult result) implements WriteOutcome {
        /** Shared by writes that return no cells: most writes of a large batch. */
        public static final Done APPLIED = new Done(WriteResult.APPLIED);
    }

    record Failed(CellException failure) implements WriteOutcome {}
}
