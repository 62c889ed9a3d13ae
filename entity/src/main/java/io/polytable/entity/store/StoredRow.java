package io.polytable.entity.store;

import io.polytable.table.Bytes;
import java.util.List;

/** Cells of one row, those of a query together and in order. */
public record StoredRow(Bytes rowKey, List<StoredCell> cells) {
    public StoredRow {
        cells = List.copyOf(cells);
    }
}
