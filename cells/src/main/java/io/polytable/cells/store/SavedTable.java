package io.polytable.cells.store;

import io.polytable.cells.CellTableSpec;

/**
 * A named snapshot of a table.
 *
 * @param spec the table's specification at that moment
 * @param savedMillis when it was saved, in milliseconds since 1970
 */
public record SavedTable(String name, CellTableSpec spec, long savedMillis) {}
