/**
 * The wide-column model: (row, family, qualifier, timestamp) to value, with versions, times to live, delete markers,
 * counters and conditional writes, as HBase defines them.
 *
 * <p>This package has the values: a {@link io.polytable.cells.Cell} is one version of a column or a delete marker, a {@link
 * io.polytable.cells.CellTableSpec} defines a table of column families ({@link io.polytable.cells.FamilySpec}).
 *
 * <p>The packages build on each other in this order. {@code request}: reads and writes. {@code layout}: cells as rows of
 * a primary-key table. {@code read}: which stored cells a read returns. {@code store}: the cell store over primary-key
 * tables. {@code projection}: cell tables as tables of another system.
 */
@NullMarked
package io.polytable.cells;

import org.jspecify.annotations.NullMarked;
