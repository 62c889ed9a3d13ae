/**
 * Visibility: which stored cells a read returns, by HBase's rules.
 *
 * <p>{@code RowMatcher} iterates over the stored cells of one row, family by family, and decides on each: masked by a
 * delete, expired, outside of the time range, not selected, too many versions, filtered. It seeks where it can, so
 * that old versions and unselected columns are not read. {@link io.polytable.cells.read.RowReads} uses it for single
 * rows, {@link io.polytable.cells.read.RangeScanner} for scans.
 *
 * <p>{@link io.polytable.cells.read.Retention} is the counterpart for compaction: it finds the cells that no read can
 * return any more.
 */
@NullMarked
package io.polytable.cells.read;

import org.jspecify.annotations.NullMarked;
