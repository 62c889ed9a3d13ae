/**
 * The cell store over primary-key tables.
 *
 * <p>{@link io.polytable.cells.tables.TableCellStore} is the way in. A cell table is one physical table, whose name and
 * number stand in the definitions; truncating, restoring and copying make another physical table and change the
 * definition to it. Writes run in {@link io.polytable.cells.tables.RowWriter} under the row's stripe, become one batch and
 * are visible at once. The {@link io.polytable.cells.tables.Compactor} removes in the background what no read can show.
 */
@NullMarked
package io.polytable.cells.tables;

import org.jspecify.annotations.NullMarked;
