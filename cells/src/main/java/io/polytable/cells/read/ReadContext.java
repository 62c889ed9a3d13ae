package io.polytable.cells.read;

import io.polytable.cells.CellTableSpec;
import io.polytable.cells.layout.Layout;
import io.polytable.table.Reader;
import io.polytable.table.Table;

/** The input of a read: a table and its layout, a reader, and the time that decides which cells are expired. */
public record ReadContext(CellTableSpec spec, Layout layout, Table table, Reader reader, long nowMillis) {}
