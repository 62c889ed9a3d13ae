package io.polytable.cells.store;

import io.polytable.cells.CellTableSpec;

/**
 * A copy of a table that was saved under a name.
 *
 * @param spec the table's specification at that moment
 * @param savedMillis when, in milliseconds since 1970
 */
public record SavedTable(String name, CellTableSpec spec, long savedMillis) {}
