package io.polytable.cells.request;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * A write to one row: edits that are applied atomically. Increments and appends read the row as it was before the
 * write. Of two edits at the same position the later one wins, except that a delete masks a put with the same
 * timestamp in either order.
 *
 * @param returnsCells whether the result returns the new cells of increments and appends
 * @param computedCellBytesMax the largest cell that an increment or append may produce, as {@code Cell.sizeBytes} counts
 */
public record RowWrite(
        Bytes row,
        List<Edit> edits,
        Optional<Condition> condition,
        Optional<Nonce> nonce,
        boolean returnsCells,
        long computedCellBytesMax) {
    public RowWrite {
        edits = List.copyOf(edits);
    }

    public static RowWrite of(Bytes row, Edit... edits) {
        return of(row, List.of(edits));
    }

    public static RowWrite of(Bytes row, List<Edit> edits) {
        return new RowWrite(row, edits, Optional.empty(), Optional.empty(), true, Long.MAX_VALUE);
    }

    public RowWrite when(Condition newCondition) {
        return new RowWrite(row, edits, Optional.of(newCondition), nonce, returnsCells, computedCellBytesMax);
    }

    public RowWrite with(Nonce newNonce) {
        return new RowWrite(row, edits, condition, Optional.of(newNonce), returnsCells, computedCellBytesMax);
    }

    public RowWrite withoutCells() {
        return new RowWrite(row, edits, condition, nonce, false, computedCellBytesMax);
    }

    public RowWrite withComputedCellBytesMax(long bytes) {
        return new RowWrite(row, edits, condition, nonce, returnsCells, bytes);
    }
}
