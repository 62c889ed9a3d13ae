/**
 * How cells are stored in rows of a primary-key table. docs/formats/cells.md documents the bytes.
 *
 * <p>{@link io.polytable.cells.layout.CellRows} opens {@link io.polytable.cells.layout.StoredCursor}s over all stored
 * cells in order, masked or not; a {@link io.polytable.cells.layout.RowEditor} changes single cells. Visibility is
 * decided above, in {@code read}.
 */
@NullMarked
package io.polytable.cells.layout;

import org.jspecify.annotations.NullMarked;
