/**
 * Reads and writes of a cell table, and the results of writes and scan steps.
 *
 * <p>A read is a {@link io.polytable.cells.request.Selection} of one row, or a {@link
 * io.polytable.cells.request.ScanRequest} over many rows, which returns {@link io.polytable.cells.request.ScanStep}s; a
 * {@link io.polytable.cells.request.CellFilter} decides on each cell. A write is a {@link
 * io.polytable.cells.request.RowWrite} of {@link io.polytable.cells.request.Edit}s, atomic for its row, optionally with a
 * {@link io.polytable.cells.request.Condition} and a {@link io.polytable.cells.request.Nonce}.
 */
@NullMarked
package io.polytable.cells.request;

import org.jspecify.annotations.NullMarked;
