package io.polytable.cells.tables.definition;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.layout.Layout;
import io.polytable.cells.read.ReadContext;
import io.polytable.table.Reader;
import io.polytable.table.Table;

/** A cell table's definition at some moment, with its layout and open physical table. */
public record LiveTable(CellTableSpec spec, Layout layout, Table physical) {
    public static LiveTable of(CellTableSpec spec, Table physical) {
        return new LiveTable(spec, Layout.of(spec.layout()), physical);
    }

    public ReadContext through(Reader reader, long nowMillis) {
        return new ReadContext(spec, layout, physical, reader, nowMillis);
    }
}
