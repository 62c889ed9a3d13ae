package io.polytable.cells.store.definition;

import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.read.ReadContext;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import java.util.Map;

/** A cell table's definition at some moment, with its open physical table. */
public record LiveTable(CellTableSpec spec, Table physical) {
    public static LiveTable of(Definition definition, Table physical) {
        if (!definition.isReadable()) {
            throw unreadable(definition);
        }
        return new LiveTable(definition.spec(), physical);
    }

    public static CellException unreadable(Definition definition) {
        return new CellException(
                CellError.RETIRED_LAYOUT,
                "The table is stored in the layout \"family\", which this version cannot read: export it with the"
                        + " version that wrote it, then drop it",
                Map.of("table", definition.spec().name()));
    }

    public ReadContext through(Reader reader, long nowMillis) {
        return new ReadContext(spec, physical, reader, nowMillis);
    }
}
