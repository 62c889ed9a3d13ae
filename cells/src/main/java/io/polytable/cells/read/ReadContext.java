package io.polytable.cells.read;

import io.polytable.cells.CellTableSpec;
import io.polytable.table.Reader;
import io.polytable.table.Table;

/** The input of a read: a table, a reader, and the time that decides which cells are expired. */
public record ReadContext(CellTableSpec spec, Table table, Reader reader, long nowMillis) {}
