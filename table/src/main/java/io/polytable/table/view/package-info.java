/**
 * Views for readers of many rows: SQL, exports, projections into other systems. A
 * {@link io.polytable.table.view.TableView} has named, typed columns, whatever the layout of the stored bytes. A
 * {@link io.polytable.table.view.ViewScan} selects columns, key ranges and a number of rows, which are returned
 * in {@link io.polytable.table.column.ColumnBatch}es. A {@link
 * io.polytable.table.view.ViewImport} imports rows that a view exported.
 */
@NullMarked
package io.polytable.table.view;

import org.jspecify.annotations.NullMarked;
