/**
 * Cell tables as views for SQL: {@link io.polytable.cells.store.view.RowsView} has a row for each row key, {@link
 * io.polytable.cells.store.view.CellsView} a row for each cell. Both scan through {@code ViewedCells}; {@code CellsImport}
 * writes exported cells back.
 */
@NullMarked
package io.polytable.cells.store.view;

import org.jspecify.annotations.NullMarked;
