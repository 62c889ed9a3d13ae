/**
 * How cells lie in the rows of a primary-key table: docs/formats/cells.md has the bytes.
 *
 * <p>A {@link io.polytable.cells.layout.Layout} opens {@link io.polytable.cells.layout.StoredCursor}s over everything that
 * is stored, masked or not, in the order of cells, and changes single cells through a {@link
 * io.polytable.cells.layout.RowEditor}. What of it a reader may see is decided above, in {@code read}, alike for both
 * layouts.
 */
@NullMarked
package io.polytable.cells.layout;

import org.jspecify.annotations.NullMarked;
