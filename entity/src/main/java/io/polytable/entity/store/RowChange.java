package io.polytable.entity.store;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Edits of one row, applied together, optionally only if a column's newest value is as expected.
 *
 * @param consistency the consistency level of a store with replicas; others ignore it
 */
public record RowChange(Bytes rowKey, List<CellEdit> edits, Optional<Check> check, Optional<String> consistency) {
    /**
     * The condition of a change.
     *
     * @param expected the newest value; empty for a column without one
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
