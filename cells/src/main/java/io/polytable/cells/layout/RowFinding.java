package io.polytable.cells.layout;

import io.polytable.table.Bytes;
import java.util.Optional;

/**
 * The result of verifying a stored row.
 *
 * @param problem empty if the row is consistent
 * @param repaired the corrected value; if empty, a repair removes the row
 */
public record RowFinding(Optional<String> problem, Optional<Bytes> repaired) {
    static final RowFinding SOUND = new RowFinding(Optional.empty(), Optional.empty());

    static RowFinding beyondRepair(String problem) {
        return new RowFinding(Optional.of(problem), Optional.empty());
    }
}
