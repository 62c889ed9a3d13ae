/**
 * Typed columns: a {@link io.polytable.table.column.ColumnType} and a {@link io.polytable.table.column.Value} of it, and
 * {@link io.polytable.table.column.ColumnBatch}es of {@link io.polytable.table.column.ColumnVector}s, arrays without an object
 * per value.
 */
@NullMarked
package io.polytable.table.column;

import org.jspecify.annotations.NullMarked;
