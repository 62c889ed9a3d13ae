package io.polytable.entity.store;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Edits of one row, made together, and perhaps only if a column's newest value is as expected.
 *
 * @param consistency how many replicas must have it, in the words of a store that has replicas; others need not look at it
 */
public record RowChange(Bytes rowKey, List<CellEdit> edits, Optional<Check> check, Optional<String> consistency) {
    /**
     * What must hold of the row.
     *
     * @param expected the newest value; empty for a column that has none
     */
    public record Check(ColumnPlace place, Optional<Bytes> expected) {}

    public RowChange {
        edits = List.copyOf(edits);
    }

    public RowChange(Bytes rowKey, List<CellEdit> edits, Optional<Check> check) {
        this(rowKey, edits, check, Optional.empty());
    }

    public static RowChange of(Bytes rowKey, CellEdit... edits) {
        return new RowChange(rowKey, List.of(edits), Optional.empty());
    }
}
