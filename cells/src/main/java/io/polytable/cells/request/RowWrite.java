package io.polytable.cells.request;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Edits of one row, applied together or not at all. Increments and appends read the row as it was before the write. Two
 * edits of the same place: the later one counts, except that a delete masks a put of the same timestamp in either order.
 *
 * @param returnsCells whether the result has the new cells of increments and appends
 */
public record RowWrite(
        Bytes row, List<Edit> edits, Optional<Condition> condition, Optional<Nonce> nonce, boolean returnsCells) {
    public RowWrite {
        edits = List.copyOf(edits);
    }

    public static RowWrite of(Bytes row, Edit... edits) {
        return of(row, List.of(edits));
    }

    public static RowWrite of(Bytes row, List<Edit> edits) {
        return new RowWrite(row, edits, Optional.empty(), Optional.empty(), true);
    }

    public RowWrite when(Condition newCondition) {
        return new RowWrite(row, edits, Optional.of(newCondition), nonce, returnsCells);
    }

    public RowWrite with(Nonce newNonce) {
        return new RowWrite(row, edits, condition, Optional.of(newNonce), returnsCells);
    }

    public RowWrite withoutCells() {
        return new RowWrite(row, edits, condition, nonce, false);
    }
}
