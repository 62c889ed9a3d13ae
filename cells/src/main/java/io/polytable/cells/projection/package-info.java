/**
 * Cell tables as tables of another system: a row for each row key, a column of bytes for each family, kept up from the
 * change feed. {@link io.polytable.cells.projection.CellProjection} says which tables there are and which of their rows
 * a change touches, {@code FamilyColumns} what a row looks like there (docs/formats/cells.md), {@code ShownNames} under
 * which names.
 */
@NullMarked
package io.polytable.cells.projection;

import org.jspecify.annotations.NullMarked;
