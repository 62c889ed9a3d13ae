/**
 * Which of the stored cells a read shows, by HBase's rules.
 *
 * <p>A {@link io.polytable.cells.read.RowMatcher} walks over the stored cells of one row, family by family, and decides
 * on each: masked by a delete, expired, outside of the time range, not selected, beyond the versions, filtered. It skips
 * what it can with seeks, so that old versions and unselected columns are not read. {@link
 * io.polytable.cells.read.RowReads} reads one row with it, {@link io.polytable.cells.read.RangeScanner} many.
 *
 * <p>{@link io.polytable.cells.read.Retention} is the other side: what no read can ever show again.
 */
@NullMarked
package io.polytable.cells.read;

import org.jspecify.annotations.NullMarked;
