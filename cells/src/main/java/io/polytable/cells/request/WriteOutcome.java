package io.polytable.cells.request;

import io.polytable.cells.CellException;

/** What became of one row write of a batch. */
public sealed interface WriteOutcome {
    record Done(WriteResult result) implements WriteOutcome {
        /** Of a write that answers nothing but that it was made: most of a large batch. */
        public static final Done APPLIED = new Done(WriteResult.APPLIED);
    }

    record Failed(CellException failure) implements WriteOutcome {}
}
