package io.polytable.cells.read;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.layout.Layout;
import io.polytable.table.Reader;
import io.polytable.table.Table;

/** Where a read finds its cells: a table of a layout, through a reader, at a moment that decides what has expired. */
public record ReadContext(CellTableSpec spec, Layout layout, Table table, Reader reader, long nowMillis) {}
