package io.polytable.cells.layout;

import io.polytable.table.Bytes;
import java.util.Optional;

/**
 * What a check found about a stored row.
 *
 * @param problem empty when it is as it should be
 * @param repaired the value that puts it right; empty when nothing can, and a repair removes the row
 */
public record RowFinding(Optional<String> problem, Optional<Bytes> repaired) {
    static final RowFinding SOUND = new RowFinding(Optional.empty(), Optional.empty());

    static RowFinding beyondRepair(String problem) {
        return new RowFinding(Optional.of(problem), Optional.empty());
    }
}
