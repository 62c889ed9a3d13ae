/**
 * Many rows as arrays, a column each: {@link io.polytable.table.column.ColumnBatch} and its
 * {@link io.polytable.table.column.ColumnVector}s, without an object a value.
 */
@NullMarked
package io.polytable.table.column;

import org.jspecify.annotations.NullMarked;
