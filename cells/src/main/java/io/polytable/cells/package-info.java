/**
 * The wide-column model: (row, family, qualifier, timestamp) to value, with versions, times to live, delete markers,
 * counters and conditional writes, as HBase defines them.
 *
 * <p>This package is the contract, free of any protocol: a {@link io.polytable.cells.CellStore} has {@link
 * io.polytable.cells.CellTable}s of column families ({@link io.polytable.cells.CellTableSpec}). A write is a {@link
 * io.polytable.cells.RowWrite} of {@link io.polytable.cells.Edit}s, atomic for its row, perhaps under a {@link
 * io.polytable.cells.Condition}, perhaps with a {@link io.polytable.cells.Nonce}. A read is a {@link
 * io.polytable.cells.Selection} of one row, or of the rows of a {@link io.polytable.cells.ScanRequest} in steps; a {@link
 * io.polytable.cells.CellFilter} may have its say on every cell.
 *
 * <p>The same kit, {@code CellStoreContract} among the tests, runs on every implementation.
 */
@NullMarked
package io.polytable.cells;

import org.jspecify.annotations.NullMarked;
