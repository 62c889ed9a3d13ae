package io.polytable.cells.store;

import io.polytable.cells.CellException;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.WriteOutcome;
import io.polytable.frontend.view.ViewImport;
import io.polytable.table.Bytes;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.column.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes rows of a {@link CellsView} back as cells, with their timestamps. */
record CellsImport(CellTable table) implements ViewImport {
    @Override
    public void write(List<List<Value>> rows) {
        Map<Bytes, List<Edit>> byRow = new LinkedHashMap<>();
        for (List<Value> row : rows) {
            byRow.computeIfAbsent(bytes(row.get(0)), first -> new ArrayList<>()).add(put(row));
        }
        List<RowWrite> writes = new ArrayList<>();
        byRow.forEach((key, edits) -> writes.add(RowWrite.of(key, edits).withoutCells()));
        for (WriteOutcome outcome : table.writeAll(writes)) {
            if (outcome instanceof WriteOutcome.Failed failed) {
                throw refused(failed.failure());
            }
        }
    }

    private static Edit put(List<Value> row) {
        boolean isCell = row.get(1) instanceof Value.OfString && row.get(3) instanceof Value.OfBigint;
        if (!isCell) {
            throw new StoreException(StoreError.BAD_VALUE, "A cell has a family and a timestamp");
        }
        return new Edit.Put(
                Bytes.utf8(((Value.OfString) row.get(1)).value()),
                bytes(row.get(2)),
                ((Value.OfBigint) row.get(3)).value(),
                bytes(row.get(4)));
    }

    private static Bytes bytes(Value value) {
        if (value instanceof Value.OfBytes bytes) {
            return bytes.value();
        }
        throw new StoreException(StoreError.BAD_VALUE, "A cell has a row, a qualifier and a value");
    }

    /** Retryable failures are passed on; any other refusal is permanent, so the rows are bad. */
    private RuntimeException refused(CellException failure) {
        return failure.error().retryable()
                ? failure
                : new StoreException(
                        StoreError.BAD_VALUE,
                        "The table does not take a cell",
                        Map.of("table", table.name(), "why", String.valueOf(failure.getMessage())));
    }
}
