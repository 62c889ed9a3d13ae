/**
 * Tables as somebody who reads many rows sees them: SQL, exports, projections into other systems. A
 * {@link io.polytable.table.view.TableView} has named, typed columns, whatever the bytes below look like; a
 * {@link io.polytable.table.view.ViewScan} says which columns, between which keys and how many rows, and the answer comes
 * in {@link io.polytable.table.ColumnBatch}es. {@link io.polytable.table.view.SpecView} shows a table that was written
 * with its {@link io.polytable.table.TableSpec}'s codec; faces with layouts of their own write a view each. A
 * {@link io.polytable.table.view.ViewImport} writes rows back that a view showed.
 */
@NullMarked
package io.polytable.table.view;

import org.jspecify.annotations.NullMarked;
