package io.polytable.cells.layout;

import io.polytable.table.Bytes;
import java.util.Optional;

/**
 * What a check found about a stored row.
 *
 * @param problem empty when it is as it should be
 * @param repaired the value that puts it right; empty when nothing can, and a repair removes the row
 */
public record RowVerdict(Optional<String> problem, Optional<Bytes> repaired) {
    static final RowVerdict SOUND = new RowVerdict(Optional.empty(), Optional.empty());

    static RowVerdict beyondRepair(String problem) {
        return new RowVerdict(Optional.of(problem), Optional.empty());
    }
}
