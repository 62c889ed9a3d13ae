package io.polytable.cells.tables.definition;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellLimits;
import io.polytable.cells.store.CellRecords;
import io.polytable.cells.tables.definition.Definitions.Section;
import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;

/** Stores the records of callers in the table of definitions. They change rarely, so one lock serves all. */
public final class StoredRecords implements CellRecords {
    private final Definitions definitions;

    public StoredRecords(Definitions definitions) {
        this.definitions = definitions;
    }

    @Override
    public Optional<Bytes> get(Bytes key) {
        return StoreFailures.translated(() -> definitions.read(Section.RECORD, key));
    }

    @Override
    public synchronized void put(Bytes key, Bytes value) {
        if (key.isEmpty() || key.length() > CellLimits.ROW_BYTES_MAX || value.length() > CellLimits.VALUE_BYTES_MAX) {
            throw new CellException(CellError.TOO_LARGE, "A record's key or value has no acceptable size");
        }
        StoreFailures.run(() -> definitions.put(Section.RECORD, key, value));
    }

    @Override
    public synchronized void remove(Bytes key) {
        StoreFailures.run(() -> definitions.remove(Section.RECORD, key));
    }

    @Override
    public synchronized boolean replace(Bytes key, Optional<Bytes> expected, Bytes value) {
        if (!get(key).equals(expected)) {
            return false;
        }
        put(key, value);
        return true;
    }

    @Override
    public NavigableMap<Bytes, Bytes> withPrefix(Bytes prefix) {
        return StoreFailures.translated(() -> definitions.all(Section.RECORD, prefix));
    }
}
