/**
 * How cells are stored in rows of a primary-key table. docs/formats/cells.md documents the bytes.
 *
 * <p>A {@link io.polytable.cells.layout.Layout} opens {@link io.polytable.cells.layout.StoredCursor}s over all stored
 * cells in order, masked or not, and changes single cells through a {@link io.polytable.cells.layout.RowEditor}.
 * {@code PerCell} and {@code PerFamily} implement it. Visibility is decided above, in {@code read}, in the same way
 * for both.
 */
@NullMarked
package io.polytable.cells.layout;

import org.jspecify.annotations.NullMarked;
